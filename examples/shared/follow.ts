import { ApiError } from 'events-gateway-client';
import type { Where } from './Filter.tsx';
import { service } from './service.ts';

export const followedKinds = ['EVENT', 'SUBSCRIPTION'] as const;

interface Listener<Payload> {
  next(payload: Payload): void;
  /** The stream is over, for whatever reason. */
  end(): void;
}

export interface Following<Payload> {
  /** The cursor to begin with. */
  from: string;
  /** Opens a stream. @returns what closes it */
  open(after: string, listener: Listener<Payload>): () => void;
  /** Called if nothing leads on from the cursor. */
  lost(): void;
}

/**
 * Keeps a stream of changes open. Each ends after 15 minutes at the latest (docs/reference/changes.md#end-of-a-stream); the
 * next one goes on from the last cursor, so that no change is missed.
 */
export function follow<Payload extends { cursor: string }>({ from, open, lost }: Following<Payload>): () => void {
  let cursor = from;
  let close = () => {};
  let stopped = false;
  const connect = () => {
    if (stopped) return;
    close = open(cursor, {
      next: (payload) => {
        cursor = payload.cursor;
      },
      end: async () => {
        if (stopped) return;
        await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1_500));
        if (stopped) return;
        if (await leadsOn(cursor)) connect();
        else if (!stopped) lost();
      },
    });
  };
  connect();
  return () => {
    stopped = true;
    close();
  };
}

/** Not if the session or the membership has ended, the role has changed, or the log does not reach back to the cursor. */
async function leadsOn(token: string): Promise<boolean> {
  const kinds = ['event', 'subscription'] as const;
  try {
    await service.get('/changes', { params: { query: { token, kinds, limit: 1 } } });
    return true;
  } catch (error) {
    return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;
  }
}

/** Whether a list has to be read again: an event that changed may have left its filter, or have another place in its order. */
export function changesList({ kind, op }: { kind: string; op: string }, where: Where): boolean {
  return op === 'REFETCH' || kind === 'EVENT' || where.viewerSubscription !== undefined;
}
