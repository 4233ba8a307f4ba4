import { hasNoRoom, isPassing, patience, refusedFor } from './changes.ts';
import { Mute, readEvents, usualSilence } from './event-stream.ts';
import type { Client } from './index.ts';
import { ApiError, errorOf, type GraphqlError, graphqlError } from './problem.ts';
import { sleep, waitOf } from './send.ts';

export interface StreamOperation {
  query: string;
  variables: Record<string, unknown>;
}

export interface StreamResult {
  data?: Record<string, unknown> | null;
  errors?: GraphqlError[];
}

export interface Sink {
  next(result: StreamResult): void;
  /** The last call: why the stream ended. */
  error(reason: ApiError): void;
}

/** A page of changes as a subscription has them, with what tells whether more follow. */
interface Polled {
  edges: { cursor: string }[];
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

/** Milliseconds between two polls, where streams are refused. */
const pollEvery = 3_000;
/** Times that a query is asked, if its objects change each time. */
const mostAttempts = 3;

/** The GraphQL transport of the adapters: queries that wait for the cursor of the session, and streams that last. */
export class GraphqlStreams {
  readonly #client: Client;
  #begin: Promise<string> | null = null;
  /** For each response that is on its way, the ids of what has changed meanwhile. */
  readonly #reading = new Set<Set<string>>();

  constructor(client: Client) {
    this.#client = client;
    client.onSessionChange(() => {
      this.#begin = null;
    });
  }

  /**
   * The cursor of the log at the beginning of the session or organization. Whatever is read after it has arrived contains
   * all earlier changes, so a stream that begins with it misses none.
   */
  begin(): Promise<string> {
    if (!this.#begin) {
      const asked = this.#client.get('/changes', { params: { query: { since: 'now' } } }).then(({ next }) => next);
      this.#begin = asked;
      asked.catch(() => {
        this.#begin = null;
      });
    }
    return this.#begin;
  }

  /** Waits for {@link begin} if somebody is signed in; a failure is reported by the request that waits. */
  async ready(): Promise<void> {
    if (this.#client.signedIn) await this.begin().catch(() => undefined);
  }

  /**
   * Sends an operation. A response that was on its way while a change of one of its objects arrived may be older than the
   * change, so a query is asked again: it shows no earlier state, and brings nothing back that is gone.
   *
   * @throws ApiError if the response is not a success
   */
  readonly fetch: typeof fetch = async (input, init) => {
    await this.ready();
    const body = typeof init?.body === 'string' ? init.body : '{}';
    const { query = '' } = JSON.parse(body) as { query?: string };
    const [, kind, operation] = /\b(query|mutation)\b\s*(\w*)/.exec(query) ?? [];
    for (let attempt = 1; ; attempt += 1) {
      const changed = new Set<string>();
      this.#reading.add(changed);
      try {
        const response = await this.#client.fetch(input, init);
        if (!response.ok) throw await errorOf(response, { operation });
        if (kind === 'mutation' || attempt === mostAttempts) return response;
        const text = await response.clone().text();
        if (![...changed].some((id) => text.includes(id))) return response;
      } finally {
        this.#reading.delete(changed);
      }
    }
  };

  /**
   * Keeps a subscription to `changes(after: $after)` open. When a stream ends, the next one continues from the last cursor;
   * where streams are refused or held back, it polls the same selection. It ends when the client cancels it, when the
   * session or the membership is over, and when the log no longer has what follows the cursor.
   *
   * @returns what ends it without a reason
   */
  subscribe(operation: StreamOperation, sink: Sink): () => void {
    const end = new AbortController();
    this.#follow(operation, sink, end.signal).catch((error: unknown) => {
      if (end.signal.aborted) return;
      sink.error(error instanceof ApiError ? error : unreadable(error));
    });
    return () => end.abort();
  }

  async #follow(operation: StreamOperation, sink: Sink, signal: AbortSignal): Promise<never> {
    const { query, variables } = operation;
    let after = typeof variables.after === 'string' ? variables.after : await this.begin();
    const give = (result: StreamResult) => {
      signal.throwIfAborted();
      after = cursorOf(result) ?? after;
      for (const changed of this.#reading) for (const id of idsIn(result)) changed.add(id);
      sink.next(result);
    };
    let mute = 0;
    let pollsUntil = 0;
    for (let failures = 0; ; ) {
      const isStream = mute < patience && Date.now() >= pollsUntil;
      let heard = false;
      try {
        if (isStream) {
          for await (const result of this.#stream({ query, variables: { ...variables, after } }, signal)) {
            // an error ends the stream; whether the next one is refused tells whether it passes
            if (!result.data && result.errors?.[0] && !heard) throw graphqlError(result.errors[0]);
            if (!result.data) break;
            heard = true;
            failures = 0;
            give(result);
          }
          mute = heard ? 0 : mute + 1;
        } else if (await this.#poll({ query: asQuery(query), variables: { ...variables, after } }, give)) {
          failures = 0;
          continue;
        }
      } catch (error) {
        signal.throwIfAborted();
        // one that carried events and then fell silent lost its connection
        if (error instanceof Mute) mute = heard ? 0 : mute + 1;
        else if (isStream && hasNoRoom(error)) pollsUntil = Date.now() + refusedFor;
        else if (!isPassing(error)) throw error;
        failures += 1;
      }
      await sleep(isStream ? waitOf(null, failures) : pollEvery, signal);
    }
  }

  async *#stream(operation: StreamOperation, signal: AbortSignal): AsyncGenerator<StreamResult> {
    const open = (signals: AbortSignal) => this.#post(operation, 'text/event-stream', signals);
    for await (const { event, data } of readEvents(open, usualSilence, signal)) {
      if (event === 'complete') return;
      if (event === 'next') yield JSON.parse(data) as StreamResult;
    }
  }

  /** Gives a page of changes as a stream does. @returns whether more follow at once */
  async #poll(operation: StreamOperation, give: (result: StreamResult) => void): Promise<boolean> {
    const response = await this.#post(operation, 'application/graphql-response+json', null);
    const { data, errors } = (await response.json()) as {
      data?: Record<string, Polled> | null;
      errors?: GraphqlError[];
    };
    if (!data) throw errors?.[0] ? graphqlError(errors[0]) : unreadable(null);
    const [[name, page] = ['', null]] = Object.entries(data);
    if (!page) return false;
    const payloads = page.edges.length > 0 ? page.edges : [];
    for (const edge of payloads) give({ data: { [name]: { ...edge, __typename: 'ChangePayload' } } });
    return page.pageInfo.hasNextPage && payloads.length > 0;
  }

  async #post(operation: StreamOperation, accept: string, signal: AbortSignal | null): Promise<Response> {
    const headers = { 'content-type': 'application/json', accept };
    const body = JSON.stringify(operation);
    const response = await this.#client.fetch(`${this.#client.url}/graphql`, { method: 'POST', headers, body, signal });
    if (response.ok) return response;
    throw await errorOf(response, { operation: /\bsubscription\s+(\w+)/.exec(operation.query)?.[1] });
  }
}

function cursorOf({ data }: StreamResult): string | undefined {
  const [payload] = Object.values(data ?? {}) as ({ cursor?: string } | null)[];
  return payload?.cursor;
}

/** The ids of what a change is about; one that is in every response if the lists are out of date. */
function idsIn(result: StreamResult): string[] {
  const ids: string[] = [];
  JSON.stringify(result, (name, value) => {
    if ((name === 'id' || name === 'objectGlobalId') && typeof value === 'string') ids.push(value);
    if (name === 'op' && value === 'REFETCH') ids.push('');
    return value;
  });
  return ids;
}

/** The query with the selection of a subscription: an edge of its pages has the fields of a payload. */
export function asQuery(subscription: string): string {
  const text = subscription.replace(/\bsubscription\b/, 'query');
  const field = /\bchanges\s*\(([^)]*)\)\s*\{/.exec(text);
  if (!field) return text;
  const start = field.index + field[0].length;
  let end = start;
  for (let depth = 1; depth > 0 && end < text.length; end += 1) {
    if (text[end] === '{') depth += 1;
    if (text[end] === '}') depth -= 1;
  }
  const selection = text.slice(start, end - 1).replace(/\bchange\s*\{/, 'change: node {');
  const page = `changes(${field[1]}, first: 50) { edges {${selection}} pageInfo { endCursor hasNextPage } }`;
  return text.slice(0, field.index) + page + text.slice(end);
}

const unreadable = (cause: unknown) =>
  new ApiError({ code: 'UNREADABLE', message: 'The response cannot be read.', status: 200, cause });
