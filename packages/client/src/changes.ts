import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError, errorOf } from './problem.ts';
import type { components } from './rest-types.ts';
import { sleep, waitOf } from './send.ts';

export type Change = components['schemas']['Change'];

/** One change, and where to go on after it: save the cursor with what you made of the change. */
export interface Told {
  change: Change;
  cursor: string;
}

export interface ChangesOptions {
  /** Where to begin without a cursor. */
  since?: 'start' | 'now';
  /** The cursor that was saved last. */
  token?: string;
  kinds?: readonly Change['kind'][];
  signal?: AbortSignal;
  /** Called when nothing is left for now. */
  onCaughtUp?(cursor: string): void;
  /** Milliseconds without a byte after which a stream counts as dead; the service sends a comment every 15 s. */
  silence?: number;
}

/** Streams that give nothing before long polling takes over: a proxy on the way holds them back. */
const patience = 2;
/** Milliseconds of long polling after the service had no room for a stream. */
const refusedFor = 5 * 60_000;

interface Page {
  items: Change[];
  has_more: boolean;
  next: string;
}

/** Follows the log of changes without end: as a stream, or by long polling where streams do not come through. */
export async function* followChanges(
  url: string,
  send: typeof fetch,
  options: ChangesOptions,
): AsyncGenerator<Told, void, void> {
  const { kinds, signal, onCaughtUp, silence = 45_000 } = options;
  let { token, since } = options;
  let mute = 0;
  let pollsUntil = 0;
  for (let failures = 0; ; ) {
    const query = new URLSearchParams();
    if (token) query.set('token', token);
    else if (since) query.set('since', since);
    if (kinds) query.set('kinds', kinds.join(' '));
    let isStream = false;
    try {
      if (mute < patience && Date.now() >= pollsUntil) {
        isStream = true;
        let heard = false;
        for await (const told of readStream(`${url}/changes?${query}`, send, silence, signal)) {
          heard = true;
          failures = 0;
          token = told.cursor;
          if (told.change) yield { change: told.change, cursor: told.cursor };
          else onCaughtUp?.(told.cursor);
        }
        mute = heard ? 0 : mute + 1;
      } else {
        // no `wait` without a cursor: if the response were lost, so would be the changes made meanwhile
        if (token) query.set('wait', '25');
        const page = await poll(`${url}/changes?${query}`, send, signal);
        failures = 0;
        // only the end of a page has a cursor to continue from
        const from = token ?? page.next;
        for (const [index, change] of page.items.entries()) {
          yield { change, cursor: index === page.items.length - 1 ? page.next : from };
        }
        token = page.next;
        if (!page.has_more) onCaughtUp?.(token);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Mute) mute += 1;
      else if (isStream && hasNoRoom(error)) pollsUntil = Date.now() + refusedFor;
      else if (!isPassing(error)) throw error;
      failures += 1;
    }
    if (signal?.aborted) return;
    since = token ? undefined : since;
    await sleep(failures > 0 || mute === 0 ? waitOf(null, failures) : 0, signal).catch(() => undefined);
    if (signal?.aborted) return;
  }
}

/** The connection is open, but carries no events. */
class Mute extends Error {}

/** Too many streams are open; a page may still come. */
function hasNoRoom(error: unknown): boolean {
  return error instanceof ApiError && ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'].includes(error.code);
}

/** Whether a retry may succeed. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return ['UNREACHABLE', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'UNREADABLE'].includes(
    error.code,
  );
}

async function poll(url: string, send: typeof fetch, signal: AbortSignal | undefined): Promise<Page> {
  const response = await send(url, { signal: signal ?? null });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Page;
}

async function* readStream(
  url: string,
  send: typeof fetch,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ change: Change | null; cursor: string }, void, void> {
  const watch = new AbortController();
  const signals = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
  let timer = setTimeout(() => watch.abort(new Mute()), silence);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => watch.abort(new Mute()), silence);
  };
  try {
    const response = await send(url, { headers: { accept: 'text/event-stream' }, signal: signals });
    if (!response.ok) throw await errorOf(response);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Mute();
    const lively = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        alive();
        controller.enqueue(chunk);
      },
    });
    const events = response.body
      .pipeThrough(lively, { signal: signals })
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) return;
      if (value.event === 'reauthenticate') return;
      if (!value.id) continue;
      yield { change: value.event === 'change' ? (JSON.parse(value.data) as Change) : null, cursor: value.id };
    }
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    clearTimeout(timer);
    watch.abort();
  }
}
