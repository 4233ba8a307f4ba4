import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { onTestFinished } from 'vitest';
import { callerHeaders } from './send.ts';
import type { Person } from './server.ts';

/** An event of a stream. */
export interface StreamEvent {
  id: string | null;
  event: string;
  data: Record<string, unknown>;
}

/** An open event stream, read as it arrives. */
export interface OpenStream {
  response: Response;
  /** All that has been received so far. */
  events: StreamEvent[];
  /** Resolves with the first event from now on, or from the beginning, that satisfies the condition. */
  until(condition: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Resolves once the server has closed the stream. */
  closed: Promise<void>;
  close(): void;
}

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

/** Reads the events of a response, until the test ends. */
export async function readStream(url: string, request: RequestInit): Promise<OpenStream> {
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
    events,
    closed,
    close,
    until: (condition) =>
      new Promise((resolve, reject) => {
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
