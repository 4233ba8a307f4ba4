import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, onTestFinished } from 'vitest';
import type { Change } from '../../packages/client/src/index.ts';
import { SeededRandom } from '../../packages/demo-content/src/random.ts';
import { type Answer, callerHeaders, type Page, send } from './send.ts';
import type { Person } from './server.ts';

/** Numbers that repeat from run to run. */
export function numbers(seed: number): (below: number) => number {
  const random = new SeededRandom(seed);
  return (below) => random.integer(0, below - 1);
}

export type { Change };

export type ChangePage = Page<Change> & { next: string; prev: null };

/** One page of the log of changes. */
export function changesPage(server: { url: string }, person: Person, query = ''): Promise<Answer<ChangePage>> {
  return send<ChangePage>(server, person, `GET /changes${query === '' ? '' : `?${query}`}`);
}

/** A reader of the log who begins now. */
export async function readerFrom(server: { url: string }, person: Person, { since = 'now', kinds = '' } = {}) {
  const chosen = kinds === '' ? '' : `&kinds=${encodeURIComponent(kinds)}`;
  let query = `since=${since}${chosen}`;
  const page = async () => {
    const answer = await changesPage(server, person, query);
    expect(answer.status, answer.text).toBe(200);
    query = `token=${answer.body.next}${chosen}`;
    return answer.body;
  };
  if (since === 'now') expect((await page()).items).toEqual([]);
  return {
    /** The cursor to read on from. */
    get token() {
      return query.split('&')[0]?.slice('token='.length) ?? '';
    },
    page,
    /** Everything that has come since the last call. */
    rest: async (): Promise<Change[]> => {
      const items: Change[] = [];
      while (true) {
        const next = await page();
        items.push(...next.items);
        if (!next.has_more) return items;
      }
    },
  };
}

/** What a change says besides its own id and time. */
export const told = ({ kind, op, object_id, event_id, version, actor_id }: Change) => ({
  ...{ kind, op, object_id, event_id, version, actor_id },
});

/** An event of a stream. */
export interface StreamEvent {
  id: string | null;
  event: string;
  data: Record<string, unknown>;
}

export type OpenStream = Awaited<ReturnType<typeof readStream>>;

/** Opens a stream of changes by REST, until the test ends; what is refused has no events. */
export function openStream(
  server: { url: string },
  person: Person | { accessToken: string },
  query = '',
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  return readStream(`${server.url}/changes${query === '' ? '' : `?${query}`}`, {
    headers: { accept: 'text/event-stream', ...callerHeaders(person), ...headers },
  });
}

/** Reads the events of a response as they arrive, until the test ends. */
export async function readStream(url: string, request: RequestInit) {
  const ending = new AbortController();
  const close = () => ending.abort();
  onTestFinished(close);
  const response = await fetch(url, { ...request, signal: ending.signal });
  const events: StreamEvent[] = [];
  const waiting = new Set<() => void>();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const read = async () => {
    const parsed = response.body
      ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream());
    for await (const { id = null, event = '', data } of parsed as unknown as AsyncIterable<EventSourceMessage>) {
      events.push({ id, event, data: data === '' ? {} : JSON.parse(data) });
      for (const wake of waiting) wake();
    }
  };
  const closed = isStream ? read().catch(() => undefined) : Promise.resolve();
  return {
    response,
    /** All that has been received so far. */
    events,
    /** Resolves once the server has closed the stream. */
    closed,
    close,
    /** Resolves with the first event from now on, or from the beginning, that satisfies the condition. */
    until: (condition: (event: StreamEvent) => boolean) =>
      new Promise<StreamEvent>((resolve, reject) => {
        const look = () => {
          const found = events.find(condition);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void closed.then(() => reject(new Error(`the stream ended; events: ${JSON.stringify(events)}`)));
      }),
  };
}
