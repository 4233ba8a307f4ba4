/** An account that anyone may use, one click away. */
export interface DemoSignIn {
  role: string;
  email: string;
  password: string;
  /** The id of its organization, the default while nobody is signed in. */
  organization: string;
}

/** What a service passes to its pages. */
export interface PageSettings {
  /** The name of the service. */
  name: string;
  /** Browsers remember under this name who was signed in. */
  id: string;
  demo: readonly DemoSignIn[];
  /** The path of the service, relative to the page, with a slash at the end. */
  base: string;
  /** Other pages of the service, below `base`. */
  links: readonly { title: string; path: string }[];
}

/** A tab shown at the first visit: one operation that can run as it is, any number of times. */
export interface Example {
  query: string;
  /** JSON; values that the page looks up are described in words. */
  variables?: string;
}

/** A value that examples describe in words, since ids differ between databases. */
export interface Placeholder {
  /** The value, or undefined if there is none. */
  find(ask: (query: string) => Promise<unknown>): Promise<string | undefined> | string;
  /** What to do if there is none. */
  otherwise: string;
}

/** What the page shows of one service: the exports of the module that is bundled with it. */
export interface Content {
  examples: readonly Example[];
  placeholders: Readonly<Record<string, Placeholder>>;
  /** The service's own plugins for GraphiQL; `data` is the argument of {@link graphiqlPage}. */
  plugins(page: { session: unknown; lastAnswer: unknown; base: string; data: unknown }): readonly unknown[];
}
