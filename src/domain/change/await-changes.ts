import { inStep, type MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { Signal } from '../../kernel/signal.ts';
import { stillInOrganization } from '../session/access.ts';
import { type ChangesInput, listChanges, type SealedChanges } from './changes.ts';
import { pause } from './read-changes.ts';

/** How many requests of one user may wait for changes at the same time, on each process. */
const maxWaits = 20;
const waits = new Map<string, number>();

/**
 * Like {@link listChanges}; if there is nothing yet, waits until there is something, without a connection to the database. Ends
 * early, with an empty page, if the service stops.
 *
 * @param seconds the longest wait
 * @throws DomainError also RATE_LIMITED if the user has too many requests that wait; INVALID_TOKEN, ORGANIZATION_FORBIDDEN,
 * CURSOR_EXPIRED if access has ended or changed in the meantime
 */
export async function awaitChanges(ctx: MemberContext, input: ChangesInput, seconds: number): Promise<SealedChanges> {
  const page = await listChanges(ctx, input);
  if (seconds === 0 || page.items.length > 0) return page;
  const { userId } = ctx.viewer;
  const running = waits.get(userId) ?? 0;
  if (ctx.services.limits.enabled && running >= maxWaits) {
    throw new DomainError('RATE_LIMITED', { detail: `At most ${maxWaits} requests may wait.`, retryAfter: seconds });
  }
  waits.set(userId, running + 1);
  try {
    return await waitFrom(ctx, { ...input, token: page.next }, seconds);
  } finally {
    const left = (waits.get(userId) ?? 1) - 1;
    if (left > 0) waits.set(userId, left);
    else waits.delete(userId);
  }
}

async function waitFrom(ctx: MemberContext, input: ChangesInput, seconds: number): Promise<SealedChanges> {
  const { services, membership, waits: clientWaits } = ctx;
  const { ending } = services.changes;
  const deadline = Date.now() + seconds * 1000;
  const signal = new Signal();
  const { wake } = signal;
  const unwatch = services.changes.watch(membership.organizationId, wake);
  const timer = setTimeout(wake, seconds * 1000);
  ending.addEventListener('abort', wake);
  clientWaits.add(wake);
  try {
    while (true) {
      clientWaits.requireClient();
      const isOver = ending.aborted || Date.now() >= deadline;
      const page = await inStep(ctx, async (step) => {
        await stillInOrganization(step);
        return await listChanges(step, input);
      });
      if (isOver || page.items.length > 0) return page;
      // what follows was written by one of very many open transactions (note 0058)
      if (page.hasMore) setTimeout(wake, pause).unref();
      await signal.wait();
    }
  } finally {
    unwatch();
    clearTimeout(timer);
    ending.removeEventListener('abort', wake);
    clientWaits.delete(wake);
  }
}
