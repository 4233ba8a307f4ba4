import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import type { Event } from '../event/event.entity.ts';
import { hasEnded, hasFreePlace } from '../event/event-moment.ts';
import { endOfWaitingList } from './new-subscription.ts';
import { fillPlaces } from './places.ts';
import { findMember } from './subscribe.ts';
import { Subscription, type SubscriptionStatus } from './subscription.entity.ts';
import { holderTransitions, isLive, liveStatuses, managerTransitions } from './subscription.state.ts';
import { mailHolder, recordChange } from './subscription-history.ts';

type Tx = Transaction<MemberContext>;

/**
 * Changes the status by the table for the viewer's role (reference/subscriptions.md#changing); the event must be locked. Checks
 * everything before it writes, so that in a bulk change a refusal does not affect the others.
 * @throws DomainError INVALID_TRANSITION at `/status`, ALREADY_SUBSCRIBED, EVENT_FULL
 */
export async function moveSubscription(
  tx: Tx,
  event: Event,
  subscription: Subscription,
  { status, notify }: { status: SubscriptionStatus; notify: boolean },
): Promise<void> {
  const from = subscription.status;
  if (status === from) return;
  requireMove(tx, event, subscription, status);
  const returns = !isLive(from) && isLive(status);
  if (returns && (await hasOtherLive(tx, subscription))) throw new DomainError('ALREADY_SUBSCRIBED');
  if (returns) await requireMember(tx, subscription);
  if (status === 'accepted' && !hasFreePlace(event)) throw new DomainError('EVENT_FULL');
  subscription.status = status;
  subscription.waiting_since = status === 'waitlisted' ? await endOfWaitingList(tx, event.id) : null;
  await recordChange(tx, { event, subscription }, { from, to: status });
  const moved = await fillPlaces(tx, [event], { notify });
  // managers get a mail about their own change only if they subscribe again or cancel, as everybody does
  const isNews = subscription.user_id !== tx.viewer.userId || returns || status === 'cancelled';
  if (notify && isNews && !moved.includes(subscription.id)) await mailHolder(tx, subscription, { from, to: status });
  // the trigger has updated the count
  await tx.em.refresh(event, { fields: ['accepted_count'] });
}

/** @throws DomainError INVALID_TRANSITION at `/status` */
export function requireMove(
  { membership, now }: Pick<MemberContext, 'membership' | 'now'>,
  event: Pick<Event, 'date_end'>,
  subscription: Pick<Subscription, 'status' | 'checked_in_at'>,
  status: SubscriptionStatus,
): void {
  const from = subscription.status;
  const managed = isManager(membership);
  const refuse = (detail: string) => fault('INVALID_TRANSITION', '/status', detail);
  if (subscription.checked_in_at) throw refuse('The subscription is checked in; undo the check-in first.');
  if (!(managed ? managerTransitions : holderTransitions)[from].includes(status)) {
    throw refuse(`The status cannot change from ${from} to ${status}.`);
  }
  if (!managed && hasEnded(event, now)) throw refuse('The event is over.');
}

/**
 * Only members, and guests by their link, can get a place back. Locks the membership, so that leaving afterwards cancels this
 * subscription, too. Does not wait for somebody who is just leaving: they may be waiting for the event, which is locked
 * already (note 0035).
 */
async function requireMember(tx: Tx, { user_id: holder, mailbox_proven: byLink }: Subscription): Promise<void> {
  if (byLink || (await findMember(tx, holder, 'lockedAtOnce'))) return;
  throw fault('INVALID_TRANSITION', '/status', 'The holder does not belong to the organization.');
}

async function hasOtherLive(tx: Tx, subscription: Subscription): Promise<boolean> {
  const own = { event_id: subscription.event_id, user_id: subscription.user_id };
  const others = { ...own, id: { $ne: subscription.id }, status: { $in: [...liveStatuses] } };
  return (await tx.em.count(Subscription, others)) > 0;
}
