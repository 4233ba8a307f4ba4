import { Component, type ReactNode } from 'react';

/** Shows the error of what is below, if that cannot be shown. */
export class Refusal extends Component<{ children: ReactNode }, { failure: Error | null }> {
  override state = { failure: null as Error | null };

  static getDerivedStateFromError(failure: Error) {
    return { failure };
  }

  override render() {
    return this.state.failure ? <p role="alert">{this.state.failure.message}</p> : this.props.children;
  }
}
