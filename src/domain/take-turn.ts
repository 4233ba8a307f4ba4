import { setImmediate } from 'node:timers/promises';
import { ClientGone, type ClientWaits } from './client-waits.ts';
import { clientNetworks } from './limits/client-network.ts';
import type { Client, Log, Membership, PublicScope, Viewer } from './request.ts';
import type { Turn, Turns, Work } from './turns.ts';

/** What a turn depends on: the part of a context that says who asks. */
export interface TurnRequest {
  tokenUserId: string | null;
  viewer: Viewer | null;
  membership: Membership | null;
  publicScope: PublicScope | null;
  client: Client;
  waits: ClientWaits;
  log: Log;
}

/**
 * Waits for a turn of the request's user and organization, which the caller ends.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if it does not come in time; ClientGone
 */
export async function takeTurn(
  { membership, publicScope, viewer, tokenUserId, client, log, waits }: TurnRequest,
  turns: Turns,
  work: Work,
): Promise<Turn> {
  const userId = viewer?.userId ?? tokenUserId;
  const networks = userId === null ? clientNetworks(client.ip) : [];
  const organizationId = membership?.organizationId ?? null;
  const claim = { organizationId, userId, isPublic: membership === null && publicScope !== null, networks, work };
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

/**
 * Runs work that keeps the process busy when its turn comes.
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if it does not come in time; ClientGone
 */
export async function inTurn<Result>(
  request: TurnRequest,
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
