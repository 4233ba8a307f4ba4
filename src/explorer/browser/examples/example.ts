/** A tab shown at the first visit: one operation that can run as it is, any number of times. */
export interface Example {
  query: string;
  /** JSON; values that the page looks up are described in words. */
  variables?: string;
}
