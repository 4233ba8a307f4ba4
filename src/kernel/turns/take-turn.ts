import { setImmediate } from 'node:timers/promises';
import { clientNetworks } from '../limits/client-network.ts';
import { ClientGone, type Requester } from '../request.ts';
import type { GiveUp, Turn, Work } from './fair-queue.ts';
import type { Claim, Turns } from './turns.ts';

/**
 * Calls `start` when it is the turn of the request's user and organization, at once if nothing has to wait. The caller ends
 * the turn.
 *
 * @param fail called with RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time, or ClientGone
 */
export function onTurn(
  requester: Requester,
  turns: Turns,
  work: Work,
  start: (turn: Turn) => void,
  fail: (reason: Error) => void,
): void {
  const { client, log, waits } = requester;
  const claim = claimOf(requester, work);
  let giveUp: GiveUp | null = null;
  const refuse = (reason: Error) => {
    if (giveUp) waits.delete(giveUp);
    if (!(reason instanceof ClientGone)) {
      log.warn({ requestId: client.requestId, ...claim, err: reason }, 'request rejected: queue full or wait too long');
    }
    fail(reason);
  };
  const begin = (turn: Turn) => {
    if (giveUp) waits.delete(giveUp);
    start(turn);
  };
  try {
    giveUp = turns.enter(claim, begin, refuse);
  } catch (error) {
    refuse(error as Error);
    return;
  }
  if (giveUp) waits.add(giveUp);
}

/**
 * Waits for the turn of the request's user and organization. The caller ends the turn.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone
 */
export function takeTurn(requester: Requester, turns: Turns, work: Work): Promise<Turn> {
  return new Promise((resolve, reject) => onTurn(requester, turns, work, resolve, reject));
}

/** The claim of a request: on behalf of its user and organization, or of its client's network. */
export function claimOf({ membership, publicScope, viewer, tokenUserId, client }: Requester, work: Work): Claim {
  const userId = viewer?.userId ?? tokenUserId;
  const networks = userId === null ? clientNetworks(client.ip) : [];
  const organizationId = membership?.organizationId ?? null;
  return { organizationId, userId, isPublic: membership === null && publicScope !== null, networks, work };
}

/**
 * Runs CPU-bound work when its turn comes.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone
 */
export async function inTurn<Result>(
  request: Requester,
  turns: Turns,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const turn = await takeTurn(request, turns, 'quick');
  try {
    // lets requests that have arrived in the meantime run first
    await setImmediate();
    return await work();
  } finally {
    turn.end();
  }
}
