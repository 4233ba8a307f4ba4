import type { Context } from '../engine/context.ts';
import { inTurn, Turns } from '../kernel/turns/turns.ts';

/** Limits how many long calendars this process makes at once: each takes a second of its only thread. */
const turns = new Turns({ connections: 2, userShare: 100, organizationShare: 100, patience: 5_000 });

/**
 * Reads, makes and sends a calendar of many events when its turn comes: one at a time for all anonymous clients, for an
 * organization and for a network (note 0030).
 *
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE if the turn does not come in time; ClientGone
 */
export async function inCalendarTurn<Result>(ctx: Context, make: () => Promise<Result>): Promise<Result> {
  return await inTurn(ctx, turns, make);
}
