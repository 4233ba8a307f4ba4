import { type ChangesOptions, followChanges, type Told } from './changes.ts';
import { createGraphql, type Graphql, type Print } from './graphql.ts';
import { type Count, createCount, createList, type ItemOf, type List } from './pages.ts';
import { createRest, type Rest } from './rest.ts';
import { createSend } from './send.ts';
import { Session, type SessionState } from './session.ts';

export type { Change, ChangesOptions, ChangeWithObject, Told } from './changes.ts';
export type { TypedDocument } from './graphql.ts';
export type { introspection } from './graphql-types.ts';
export type { ItemOf, ListPath, ListQuery, Page, Walk, WhereOf } from './pages.ts';
export { ApiError, apiErrorOf, type ErrorCode, type Issue, type Problem } from './problem.ts';
export type { Answered } from './rest.ts';
export type { Answer, FieldOf, RelationOf, Selected } from './rest-calls.ts';
export type { components, operations, paths } from './rest-types.ts';
export type { SessionState } from './session.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://events.example`. */
  url: string;
  /** The organization of the requests; an API key knows its own. */
  organization?: string | undefined;
  /** Signs in instead of a person. */
  apiKey?: string | undefined;
  fetch?: typeof fetch;
  /** Makes the text of documents that are parsed, such as those of gql.tada: `print` of `@0no-co/graphql.web`. */
  print?: Print;
  /**
   * Milliseconds after which a request is not tried again; 70,000 by default. A write that a process of the service took
   * with it can be made again within a minute.
   */
  deadline?: number;
}

/** Both APIs of the service for one person or key. */
export interface Client extends Rest {
  /** Where the service is, without a slash at the end. */
  readonly url: string;
  /** The organization of the requests, by its id. */
  readonly organization: string | undefined;
  /**
   * Makes an organization that of all later requests. Requests in flight fail with `CANCELLED`, and listeners of
   * {@link onSessionChange} are called, so that caches drop what belongs to the previous one.
   */
  switchOrganization(organization: string | undefined): void;
  readonly signedIn: boolean;
  /** @throws ApiError `INVALID_CREDENTIALS`, `USER_NOT_VERIFIED`, `RATE_LIMITED` */
  signIn(credentials: { email: string; password: string }): Promise<void>;
  /** Continues the session that the browser remembers, as when a page is loaded. @returns whether there is one */
  resume(): Promise<boolean>;
  /** Signs out in all tabs. Requests in flight fail with `CANCELLED`. */
  signOut(): Promise<void>;
  /**
   * Calls back when the user signs in or out, in this tab or another, when the service ends the session, and when the
   * organization is switched.
   *
   * @returns what ends it
   */
  onSessionChange(listener: (state: SessionState) => void): () => void;
  graphql: Graphql;
  /**
   * For libraries that make their own requests: `fetch` with the token, its renewal, the organization and retries. Only
   * for addresses of the service, since they get the token.
   */
  fetch: typeof fetch;
  /** Any list of REST; one below an object takes the id of the object in `path`. */
  list: List;
  /** How many items a list has; `exact` is false if there are more than `max`. */
  count: Count;
  /** What changes in the organization, without end. */
  changes<Include extends 'object' = never>(
    options?: ChangesOptions<Include>,
  ): AsyncGenerator<Told<Include>, void, void>;
}

export type Event = ItemOf<'/events'>;
export type Subscription = ItemOf<'/subscriptions'>;

export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/+$/, '');
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const session = new Session(url, fetch, options.organization);
  const { apiKey, deadline = 70_000 } = options;
  const send = createSend({ session, fetch, apiKey, deadline });
  const rest = createRest(url, send);
  return {
    ...rest,
    url,
    get organization() {
      return session.organization;
    },
    switchOrganization: (organization) => session.switchOrganization(organization),
    get signedIn() {
      return apiKey !== undefined || session.signedIn;
    },
    signIn: (credentials) => session.signIn(credentials),
    resume: () => session.resume(),
    signOut: () => session.signOut(),
    onSessionChange: (listener) => session.onChange(listener),
    graphql: createGraphql(url, send, options.print),
    fetch: send,
    list: createList(rest),
    count: createCount(rest),
    changes: (from = {}) => followChanges(url, send, from),
  };
}
