import { ApiError, retryAfterOf } from './problem.ts';
import type { Session } from './session.ts';

export interface SendOptions {
  session: Session;
  fetch: typeof fetch;
  apiKey: string | undefined;
  /** Milliseconds after which no further attempt begins. */
  deadline: number;
}

/** Statuses after which the same request may succeed. */
const passing = [429, 503];

/**
 * Makes the `fetch` of the client: it adds the token, the organization and an idempotency key, retries what may be
 * retried, and renews the token once. The body is kept for that, so it is read first.
 */
export function createSend({ session, fetch, apiKey, deadline }: SendOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    const signal = AbortSignal.any([request.signal, session.scope]);
    const headers = new Headers(request.headers);
    const bytes = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
    const body = bytes?.byteLength ? bytes : null;
    const { organization } = session;
    if (organization && !headers.has('x-organization-id')) headers.set('x-organization-id', organization);
    const mayRepeat = addKey(headers, method, new URL(url).pathname);
    const end = Date.now() + deadline;

    const ask = async () => {
      const token = apiKey ?? (await session.token());
      if (token) headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(url, { method, headers, body, signal, credentials: 'include' });
      if (response.status !== 401 || apiKey || !token) return response;
      if (!(await session.renew(token))) return response;
      headers.set('authorization', `Bearer ${await session.token()}`);
      return await fetch(url, { method, headers, body, signal, credentials: 'include' });
    };

    // the reader of a stream falls back to polling
    const repeats = headers.get('accept') !== 'text/event-stream';
    for (let attempt = 0; ; attempt += 1) {
      let failure: unknown;
      const response = await ask().catch((error: unknown) => {
        if (signal.aborted || error instanceof ApiError) throw error;
        failure = error;
        return null;
      });
      if (!repeats || (response ? !isPassing(response) : !mayRepeat)) return response ?? unreachable(failure);
      const wait = waitOf(response, attempt);
      if (Date.now() + wait > end) return response ?? unreachable(failure);
      await response?.body?.cancel();
      await sleep(wait, signal);
    }
  };
}

/** Gives a write its key. @returns whether the request may be repeated if its outcome is unknown */
function addKey(headers: Headers, method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD' || path.endsWith('/query')) return true;
  if (/\/auth\//.test(path)) return false;
  if (!headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
  return true;
}

/** A conflict that passes is a write with the same key that is still running. */
function isPassing(response: Response): boolean {
  return passing.includes(response.status) || (response.status === 409 && retryAfterOf(response) !== undefined);
}

/** Milliseconds to wait: what the service asks for, and a random part that doubles with each attempt. */
export function waitOf(response: Response | null, attempt: number): number {
  const asked = (response && retryAfterOf(response)) ?? 0;
  return asked * 1_000 + Math.random() * Math.min(10_000, 250 * 2 ** attempt);
}

/** Waits; a browser that comes online again waits no longer. */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const over = new AbortController();
    const wake = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    if (typeof document !== 'undefined') addEventListener('online', wake, { signal: over.signal });
    const stop = () => {
      reject(signal?.reason);
      wake();
    };
    signal?.addEventListener('abort', stop, { signal: over.signal });
  });
}

function unreachable(cause: unknown): never {
  throw new ApiError({ code: 'UNREACHABLE', message: 'The service cannot be reached.', status: 0, cause });
}
