import { type Session, useSession } from 'events-gateway-client/react';
import { Component, type FormEvent, Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { client } from './client.ts';
import { Problem } from './Problem.tsx';
import './page.css';

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** The page around an example: a form to sign in, the organization, and what the address names after `#`. */
export function Frame({ title, children }: { title: string; children(session: Session, eventId: string): ReactNode }) {
  const session = useSession(client);
  const { status, user, organization, error } = session;
  const eventId = useSyncExternalStore(subscribe, () => decodeURIComponent(location.hash.slice(1)));
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void session.signIn({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  const switchTo = (id: string) => {
    location.hash = '';
    session.switchOrganization(id);
  };
  return (
    <main>
      <h1>{title}</h1>
      <Problem error={error} />
      {status === 'signed out' && (
        <form className="card" onSubmit={signIn}>
          <label>
            E-mail address{' '}
            <input name="email" type="email" autoComplete="username" defaultValue="member@demo.example" />
          </label>
          <label>
            Password{' '}
            <input name="password" type="password" autoComplete="current-password" defaultValue="demo-events-2468" />
          </label>
          <button type="submit">Sign in</button>
        </form>
      )}
      {status === 'signed in' && (
        <>
          <p className="bar">
            <label>
              Organization
              <select value={organization?.id} onChange={({ target }) => switchTo(target.value)}>
                {user?.organizations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <span>Signed in as {user?.name}.</span>
            <button type="button" onClick={() => void session.signOut()}>
              Sign out
            </button>
          </p>
          {/* the key: what was read belongs to the organization and to the person */}
          <Fragment key={session.key}>
            <Failure>{children(session, eventId)}</Failure>
          </Fragment>
        </>
      )}
    </main>
  );
}

/** Shows the error of what is below, if that cannot be shown. */
class Failure extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error ? <Problem error={this.state.error} /> : this.props.children;
  }
}
