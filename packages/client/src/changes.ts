import { Mute, readEvents, usualSilence } from './event-stream.ts';
import { ApiError, errorOf } from './problem.ts';
import type { components } from './rest-types.ts';
import { sleep, waitOf } from './send.ts';

type Schemas = components['schemas'];

/** A change, without its object. */
export type Change = Omit<Schemas['Change'], 'object'>;

/** A change with the object as it is now; null if it is gone or hidden, and for `refetch`. A form's object is its event. */
export type ChangeWithObject =
  | (Change & { kind: 'event' | 'form'; object: Schemas['Event'] | null })
  | (Change & { kind: 'subscription'; object: Schemas['Subscription'] | null });

/** One change, and where to continue after it: save the cursor with what you made of the change. */
export interface Told<Include = never> {
  change: [Include] extends [never] ? Change : ChangeWithObject;
  cursor: string;
}

export interface ChangesOptions<Include = never> {
  /** Where to begin without a cursor. */
  since?: 'start' | 'now' | undefined;
  /** The cursor that was saved last. */
  token?: string | undefined;
  kinds?: readonly Change['kind'][];
  /** `object`: each change has its object. Streams cannot have that, so the log is read by long polling. */
  include?: readonly Include[];
  signal?: AbortSignal | undefined;
  /** Called when nothing is left for now. */
  onCaughtUp?(cursor: string): void;
  /** Milliseconds without a byte after which a stream counts as dead; the service sends a comment every 15 s. */
  silence?: number;
}

/** Streams that give nothing before long polling takes over: a proxy on the way holds them back. */
export const patience = 2;
/** Milliseconds of long polling after the service had no room for a stream. */
export const refusedFor = 5 * 60_000;

const asked = { operation: 'GET /changes', path: '/changes' };

interface Page {
  items: Change[];
  has_more: boolean;
  next: string;
}

/** Follows the log of changes without end: as a stream, or by long polling where streams do not come through. */
export async function* followChanges<Include>(
  url: string,
  send: typeof fetch,
  options: ChangesOptions<Include>,
): AsyncGenerator<Told<Include>, void, void> {
  const { kinds, include, signal, onCaughtUp, silence = usualSilence } = options;
  let { token, since } = options;
  let mute = 0;
  let pollsUntil = 0;
  for (let failures = 0; ; ) {
    const query = new URLSearchParams();
    if (token) query.set('token', token);
    else if (since) query.set('since', since);
    if (kinds) query.set('kinds', kinds.join(' '));
    if (include) query.set('include', include.join(' '));
    let isStream = false;
    let heard = false;
    try {
      if (!include && mute < patience && Date.now() >= pollsUntil) {
        isStream = true;
        for await (const told of readStream(`${url}/changes?${query}`, send, silence, signal)) {
          heard = true;
          failures = 0;
          token = told.cursor;
          if (told.change) yield { change: told.change, cursor: told.cursor } as Told<Include>;
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
          yield { change, cursor: index === page.items.length - 1 ? page.next : from } as Told<Include>;
        }
        token = page.next;
        if (!page.has_more) onCaughtUp?.(token);
      }
    } catch (error) {
      if (signal?.aborted) return;
      // one that carried events and then fell silent lost its connection
      if (error instanceof Mute) mute = heard ? 0 : mute + 1;
      else if (isStream && hasNoRoom(error)) pollsUntil = Date.now() + refusedFor;
      else if (!isPassing(error)) throw error;
      failures += 1;
    }
    if (signal?.aborted) return;
    since = token ? undefined : since;
    await sleep(failures > 0 || (isStream && mute === 0) ? waitOf(null, failures) : 0, signal).catch(() => undefined);
    if (signal?.aborted) return;
  }
}

/** Too many streams are open; a page may still come. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof ApiError && ['RATE_LIMITED', 'SERVICE_UNAVAILABLE'].includes(error.code);
}

/** Whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return ['UNREACHABLE', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'UNREADABLE'].includes(
    error.code,
  );
}

async function poll(url: string, send: typeof fetch, signal: AbortSignal | undefined): Promise<Page> {
  const response = await send(url, { signal: signal ?? null });
  if (!response.ok) throw await errorOf(response, asked);
  return (await response.json()) as Page;
}

async function* readStream(
  url: string,
  send: typeof fetch,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ change: Change | null; cursor: string }, void, void> {
  const open = async (signals: AbortSignal) => {
    const response = await send(url, { headers: { accept: 'text/event-stream' }, signal: signals });
    if (!response.ok) throw await errorOf(response, asked);
    return response;
  };
  for await (const { event, id, data } of readEvents(open, silence, signal)) {
    if (event === 'reauthenticate') return;
    if (id) yield { change: event === 'change' ? (JSON.parse(data) as Change) : null, cursor: id };
  }
}
