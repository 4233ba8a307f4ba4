import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { stillInOrganization } from '../session/access.ts';
import { type ChangesInput, listChanges, type SealedChanges } from './changes.ts';
import { pause } from './read-changes.ts';

/** How many requests of one user may wait for changes at the same time, on each process. */
const maxWaits = 20;
const waits = new Map<string, number>();

/** Milliseconds that the last reading may take after the wait is over; its answer is given without it then. */
const grace = 500;

/**
 * Like {@link listChanges}; if there is nothing yet, waits until there is something, without a connection to the database. Ends
 * early, with an empty page, if the service stops.
 *
 * @param seconds the longest wait
 * @throws DomainError also RATE_LIMITED if the user has too many requests that wait; INVALID_TOKEN, ORGANIZATION_FORBIDDEN,
 * CURSOR_EXPIRED if access has ended or changed in the meantime
 */
export async function awaitChanges(ctx: MemberContext, input: ChangesInput, seconds: number): Promise<SealedChanges> {
  if (seconds === 0) return await listChanges(ctx, input);
  // signing in may have taken a part of it
  const milliseconds = Math.max(seconds * 1000 - (Date.now() - ctx.now.getTime()), 0);
  const over = new AbortController();
  const late = Promise.withResolvers<null>();
  // one timer decides when it is over: a timer may fire before the clock has come to its time
  const timers = [
    setTimeout(() => over.abort(), milliseconds),
    setTimeout(() => late.resolve(null), milliseconds + grace),
  ];
  const { ending } = ctx.services.changes;
  try {
    const page = await Promise.race([listChanges(ctx, input), late.promise]);
    if (!page) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
    if (page.items.length > 0) return page;
    const close = countWait(ctx, milliseconds);
    const from = { ...input, token: page.next };
    const next = waitFrom(ctx, from, AbortSignal.any([over.signal, ending])).finally(close);
    return (await Promise.race([next, late.promise])) ?? page;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Counts a request that waits; returns what ends that. @throws DomainError RATE_LIMITED */
function countWait({ services, viewer: { userId } }: MemberContext, milliseconds: number): () => void {
  const running = waits.get(userId) ?? 0;
  if (services.limits.enabled && running >= maxWaits) {
    const retryAfter = Math.ceil(milliseconds / 1000);
    throw new DomainError('RATE_LIMITED', { detail: `At most ${maxWaits} requests may wait.`, retryAfter });
  }
  waits.set(userId, running + 1);
  return () => {
    const left = (waits.get(userId) ?? 1) - 1;
    if (left > 0) waits.set(userId, left);
    else waits.delete(userId);
  };
}

/** @param over aborted when the last reading has to begin */
async function waitFrom(ctx: MemberContext, from: ChangesInput, over: AbortSignal): Promise<SealedChanges> {
  const { services, membership, waits: clientWaits } = ctx;
  const signal = new Signal();
  const { wake } = signal;
  const unwatch = services.changes.watch(membership.organizationId, wake);
  over.addEventListener('abort', wake);
  clientWaits.add(wake);
  try {
    while (true) {
      clientWaits.requireClient();
      const isOver = over.aborted;
      const page = await inStep(ctx, async (step) => {
        await stillInOrganization(step);
        return await listChanges(step, from);
      });
      if (isOver || page.items.length > 0) return page;
      // what follows was written by one of very many open transactions (note 0058)
      if (page.hasMore) setTimeout(wake, pause).unref();
      await signal.wait();
    }
  } finally {
    unwatch();
    over.removeEventListener('abort', wake);
    clientWaits.delete(wake);
  }
}
