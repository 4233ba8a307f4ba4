import { setImmediate } from 'node:timers/promises';
import { type Claim, ConnectionTurns, type ConnectionTurnsOptions, type GiveUp, type Turn } from '#fair-turns';
import type { Work } from '#postgres-access';
import { DomainError } from '../errors.ts';
import { clientNetworks } from '../limits/client-network.ts';
import { ClientGone, type Requester } from '../request.ts';

export type TurnsOptions = Omit<ConnectionTurnsOptions, 'tooMany' | 'busy'>;

/** Decides whose statements get the connections of a pool (note 0030). */
export class Turns extends ConnectionTurns {
  constructor(options: TurnsOptions) {
    const detail = 'Too many requests of this organization or user wait for the database.';
    super({
      ...options,
      tooMany: () => new DomainError('RATE_LIMITED', { detail, retryAfter: 1 }),
      busy: () => new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 2 }),
    });
  }
}

/**
 * Calls `start` when it is the turn of the request's user and organization. The caller ends the turn.
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

/** Like {@link onTurn}. @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone */
export function takeTurn(requester: Requester, turns: Turns, work: Work): Promise<Turn> {
  return new Promise((resolve, reject) => onTurn(requester, turns, work, resolve, reject));
}

export function claimOf({ membership, publicScope, viewer, tokenUserId, client }: Requester, work: Work): Claim {
  const userId = viewer?.userId ?? tokenUserId;
  const networks = userId === null ? clientNetworks(client.ip) : [];
  const organizationId = membership?.organizationId ?? null;
  return { organizationId, userId, isPublic: membership === null && publicScope !== null, networks, work };
}

/** Runs `work` when its turn comes. @throws as {@link takeTurn} */
export async function inTurn<Result>(
  request: Requester,
  turns: Turns,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const turn = await takeTurn(request, turns, 'quick');
  try {
    // requests that have arrived in the meantime run first
    await setImmediate();
    return await work();
  } finally {
    turn.end();
  }
}
