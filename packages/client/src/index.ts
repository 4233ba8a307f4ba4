import { type ChangesOptions, followChanges, type Told } from './changes.ts';
import { createGraphql, type Graphql, type Print } from './graphql.ts';
import { type ItemOf, type ListPath, type ListQuery, type Selected, type Walk, walk } from './pages.ts';
import { createRest, type Rest } from './rest.ts';
import { createSend } from './send.ts';
import { Session } from './session.ts';

export type { Change, ChangesOptions, Told } from './changes.ts';
export type { TypedDocument } from './graphql.ts';
export type { introspection } from './graphql-types.ts';
export type { ItemOf, ListPath, ListQuery, Page, Selected, Walk } from './pages.ts';
export { ApiError, type ErrorCode, type Issue, type Problem } from './problem.ts';
export type { components, operations, paths } from './rest-types.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://events.example`. */
  url: string;
  /** The organization of the requests; an API key knows its own. */
  organization?: string;
  /** Signs in instead of a person. */
  apiKey?: string;
  fetch?: typeof fetch;
  /** Makes the text of documents that are parsed, such as those of gql.tada: `print` of `@0no-co/graphql.web`. */
  print?: Print;
  /** Milliseconds after which a request is not tried again; 30,000 by default. */
  deadline?: number;
}

/** Both faces of the service for one person or key. */
export interface Client extends Rest {
  /** The organization of the requests from now on. */
  organization: string | undefined;
  readonly signedIn: boolean;
  signIn(credentials: { email: string; password: string }): Promise<void>;
  /** Continues the session that the browser remembers, as when a page is loaded. @returns whether there is one */
  resume(): Promise<boolean>;
  signOut(): Promise<void>;
  graphql: Graphql;
  /**
   * For libraries that make their own requests, such as urql and Apollo Client: `fetch` with the token, its renewal, the
   * organization and retries. Only for addresses of the service, since they get the token.
   */
  fetch: typeof fetch;
  /** Any list of REST. */
  list<Path extends ListPath, Field extends keyof ItemOf<Path> = keyof ItemOf<Path>>(
    path: Path,
    query?: ListQuery<Field>,
  ): Walk<Selected<ItemOf<Path>, Field>>;
  events<Field extends keyof Event = keyof Event>(query?: ListQuery<Field>): Walk<Selected<Event, Field>>;
  /** What changes in the organization, without end. */
  changes(options?: ChangesOptions): AsyncGenerator<Told, void, void>;
}

export type Event = ItemOf<'/events'>;

export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '');
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const session = new Session(url, fetch);
  const organization = () => client.organization;
  const { apiKey, deadline = 30_000 } = options;
  const send = createSend({ session, fetch, organization, apiKey, deadline });
  const rest = createRest(url, send);
  const client: Client = {
    ...rest,
    organization: options.organization,
    get signedIn() {
      return apiKey !== undefined || session.signedIn;
    },
    signIn: (credentials) => session.signIn(credentials),
    resume: () => session.resume(),
    signOut: () => session.signOut(),
    graphql: createGraphql(url, send, options.print),
    fetch: send,
    list: (path, query) => walk(rest, path, { ...query } as ListQuery),
    events: (query) => walk(rest, '/events', { ...query } as ListQuery),
    changes: (from = {}) => followChanges(url, send, from),
  };
  return client;
}
