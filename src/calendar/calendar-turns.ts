import type { Context } from '../engine/context.ts';
import { inTurn } from '../kernel/turns/take-turn.ts';
import { Turns } from '../kernel/turns/turns.ts';

/** Calendars of many events that are made at once in this process: such a one takes the only thread for a second. */
const turns = new Turns({ connections: 2, userShare: 100, organizationShare: 100, patience: 5_000 });

/**
 * Reads, makes and sends a calendar of many events when its turn comes: of all strangers, of an organization or of a network
 * one at a time (note 0030).
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone
 */
export async function inCalendarTurn<Result>(ctx: Context, make: () => Promise<Result>): Promise<Result> {
  return await inTurn(ctx, turns, make);
}
