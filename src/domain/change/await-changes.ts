import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { Tally } from '../../kernel/tally.ts';
import { stillInOrganization } from '../session/access.ts';
import { type ChangesInput, listChanges, type SealedChanges } from './changes.ts';
import { pause } from './read-changes.ts';

const maxWaits = 20;
const waits = new Tally();

/** Milliseconds that the last read may take once the wait is over; then an empty page is returned. */
const grace = 500;

/**
 * Like {@link listChanges}, but waits for a change if there is none, without a database connection. Returns an empty page early if
 * the service stops.
 *
 * @param seconds the longest wait
 * @throws DomainError also RATE_LIMITED if too many requests of the user wait; INVALID_TOKEN, ORGANIZATION_FORBIDDEN,
 * CURSOR_EXPIRED if access has ended or changed in the meantime
 */
export async function awaitChanges(ctx: MemberContext, input: ChangesInput, seconds: number): Promise<SealedChanges> {
  if (seconds === 0) return await listChanges(ctx, input);
  // authentication may have taken part of it
  const milliseconds = Math.max(seconds * 1000 - (Date.now() - ctx.now.getTime()), 0);
  const over = new AbortController();
  const late = Promise.withResolvers<null>();
  // the timer alone decides when the wait is over: timers may fire before their time by the clock
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

/** Counts a waiting request; returns a function that ends this. @throws DomainError RATE_LIMITED */
function countWait({ services, viewer: { userId } }: MemberContext, milliseconds: number): () => void {
  if (services.limits.enabled && waits.of(userId) >= maxWaits) {
    const retryAfter = Math.ceil(milliseconds / 1000);
    throw new DomainError('RATE_LIMITED', { detail: `At most ${maxWaits} requests may wait.`, retryAfter });
  }
  return waits.begin(userId);
}

/** @param over aborted when the last read has to begin */
async function waitFrom(ctx: MemberContext, from: ChangesInput, over: AbortSignal): Promise<SealedChanges> {
  const { services, membership, waits: clientWaits } = ctx;
  const signal = new Signal();
  const { wake } = signal;
  const unwatch = services.changes.watch(membership.organizationId, wake);
  over.addEventListener('abort', wake);
  clientWaits.add(wake);
  try {
    while (true) {
      if (clientWaits.gone) throw clientWaits.gone;
      const isOver = over.aborted;
      const page = await inStep(ctx, async (step) => {
        await stillInOrganization(step);
        return await listChanges(step, from);
      });
      if (isOver || page.items.length > 0) return page;
      // one of very many open transactions wrote the next change (note 0058)
      if (page.hasMore) setTimeout(wake, pause).unref();
      await signal.wait();
    }
  } finally {
    unwatch();
    over.removeEventListener('abort', wake);
    clientWaits.delete(wake);
  }
}
