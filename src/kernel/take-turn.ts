import { setImmediate } from 'node:timers/promises';
import { ClientGone } from './client-waits.ts';
import { clientNetworks } from './limits/client-network.ts';
import type { Requester } from './request.ts';
import type { Claim, Turn, Turns, Work } from './turns.ts';

/**
 * Waits for a turn of the request's user and organization, which the caller ends.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if it does not come in time; ClientGone
 */
export async function takeTurn(requester: Requester, turns: Turns, work: Work): Promise<Turn> {
  const { client, log, waits } = requester;
  const claim = claimOf(requester, work);
  let giveUp: ((reason: Error) => void) | undefined;
  try {
    const turn = turns.take(claim, (give) => {
      giveUp = give;
      waits.add(give);
    });
    return turn instanceof Promise ? await turn : turn;
  } catch (error) {
    if (!(error instanceof ClientGone)) {
      log.warn({ requestId: client.requestId, ...claim, err: error }, 'a request found no room in the queue');
    }
    throw error;
  } finally {
    if (giveUp) waits.delete(giveUp);
  }
}

/** The claim of a request: for its user and organization, or for its client's network. */
export function claimOf({ membership, publicScope, viewer, tokenUserId, client }: Requester, work: Work): Claim {
  const userId = viewer?.userId ?? tokenUserId;
  const networks = userId === null ? clientNetworks(client.ip) : [];
  const organizationId = membership?.organizationId ?? null;
  return { organizationId, userId, isPublic: membership === null && publicScope !== null, networks, work };
}

/**
 * Runs work that keeps the process busy when its turn comes.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if it does not come in time; ClientGone
 */
export async function inTurn<Result>(
  request: Requester,
  turns: Turns,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const turn = await takeTurn(request, turns, 'quick');
  try {
    // other requests that have arrived run before the next one
    await setImmediate();
    return await work();
  } finally {
    turn.end();
  }
}
