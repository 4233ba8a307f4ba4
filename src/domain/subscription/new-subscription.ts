import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { prepared, type RowOf } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import type { EventRegistration } from '../event/event.entity.ts';
import { type Availability, availabilityOf, hasFreePlace } from '../event/event-moment.ts';
import type { EventPlaces, LockedPlaces } from '../event/lock-event.ts';
import { anyOf, tables } from '../tables/tables.ts';
import type { KeptAnswers } from './answers.ts';
import { fillPlaces } from './places.ts';
import { Subscription, type SubscriptionStatus } from './subscription.entity.ts';
import { type LiveStatus, liveStatuses } from './subscription.state.ts';
import { mailHolder, recordChange } from './subscription-history.ts';

type Tx = Transaction<MemberContext>;

export interface NewSubscription extends KeptAnswers {
  user_id: string;
  status: LiveStatus | undefined;
  named: boolean;
  notify: boolean;
  /** Of a guest whose mailbox a mailed link proved, with or without an account. */
  guest_name?: string;
}

/**
 * Makes a subscription, with its history and mail; the event must be locked (reference/subscriptions.md#subscribing).
 * @param others from {@link findOthers}
 * @param options whether no entity changes after it in the transaction
 * @throws DomainError ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED, REGISTRATION_CLOSED, EVENT_FULL, in this order
 */
export async function makeSubscription(
  tx: Tx,
  event: LockedPlaces,
  others: Others,
  wanted: NewSubscription,
  { isLast = false } = {},
): Promise<Subscription> {
  const { user_id, answers, form_version, guest_name = null, notify } = wanted;
  const status = firstStatus(tx, event, wanted, others);
  tx.concerns.add(user_id);
  const subscription = tx.em.create(Subscription, {
    id: randomUUIDv7(),
    event_id: event.id,
    organization_id: tx.membership.organizationId,
    user_id,
    status,
    answers,
    form_version,
    mailbox_proven: guest_name !== null,
    guest_name,
    attendee_name: guest_name ?? others.name,
    waiting_since: status === 'waitlisted' ? new Date(others.endOfList).toISOString() : null,
    checked_in_at: null,
  });
  tx.em.persist(subscription);
  // only a manager can put somebody on the waiting list while there is a free place
  const mayMove = status === 'waitlisted' && hasFreePlace(event);
  const write = isLast && !mayMove ? () => tx.db.flushLast() : () => tx.em.flush();
  await recordChange(tx, { event, subscription }, { from: null, to: status }, write);
  const moved = mayMove ? await fillPlaces(tx, [event], { notify }) : [];
  if (moved.includes(subscription.id)) await tx.em.refresh(subscription);
  else if (notify) await mailHolder(tx, subscription, { from: null, to: status });
  return subscription;
}

const waitingList = (at: { eventId: string }) =>
  tables.selectFrom('subscription').where('event_id', '=', at.eventId).where('status', '=', sql.lit('waitlisted'));

/** In Unix milliseconds: later than every entry of the locked event, even if the clocks of processes differ. */
const endOfList = sql<number>`ceil(extract(epoch from
  greatest(clock_timestamp(), max(waiting_since) + interval '1 millisecond')) * 1000)::float8`;

/** What a new subscription depends on: `newest` is the status of the user's newest one, `name` that of their account. */
const othersOf = prepared((at: { eventId: string; userId: string }) => {
  const own = tables.selectFrom('subscription').where('event_id', '=', at.eventId).where('user_id', '=', at.userId);
  return tables.selectNoFrom((eb) => [
    own.select('status').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(sql.lit(1)).as('newest'),
    eb
      .exists(own.where('status', '=', anyOf(liveStatuses)))
      .$castTo<boolean>()
      .as('isLive'),
    eb.exists(waitingList(at)).$castTo<boolean>().as('somebodyWaits'),
    eb.selectFrom('user').select('name').where('id', '=', at.userId).$asScalar().$notNull().as('name'),
    waitingList(at).select(endOfList.as('end')).$asScalar().$notNull().as('endOfList'),
  ]);
});
type Others = RowOf<typeof othersOf>;

/** The event must be locked first. */
export async function findOthers(tx: Tx, eventId: string, userId: string): Promise<Others> {
  const others = await tx.db.row(othersOf({ eventId, userId }));
  if (!others) throw new Error('a select without a table returned no row');
  return others;
}

const timeAtEnd = prepared((at: { eventId: string }) => waitingList(at).select(endOfList.as('time')));

/** The event must be locked. */
export async function endOfWaitingList(tx: Transaction, eventId: string): Promise<string> {
  const last = await tx.db.row(timeAtEnd({ eventId }));
  return new Date(last?.time ?? Date.now()).toISOString();
}

const statusOf: Partial<Record<Availability, LiveStatus>> = {
  open: 'accepted',
  approval: 'pending',
  waiting_list: 'waitlisted',
};

/** @throws DomainError ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED, REGISTRATION_CLOSED, EVENT_FULL, in this order */
export function firstStatus(
  { membership, now }: Pick<MemberContext, 'membership' | 'now'>,
  event: Omit<EventPlaces, 'id'>,
  { named, status }: Pick<NewSubscription, 'named' | 'status'>,
  { newest, isLive, somebodyWaits }: Pick<Others, 'newest' | 'isLive' | 'somebodyWaits'>,
): SubscriptionStatus {
  if (isLive) throw new DomainError('ALREADY_SUBSCRIBED');
  if (newest === 'declined' && !isManager(membership)) throw new DomainError('SUBSCRIPTION_DECLINED');
  const registration = registrationFor(event, { named, status });
  const facts = { ...event, registration, somebody_waits: somebodyWaits };
  const availability = availabilityOf(facts, now, { afterEnd: isManager(membership) });
  if (availability === 'closed') throw new DomainError('REGISTRATION_CLOSED');
  if (status === 'pending' || status === 'waitlisted') return status;
  const becomes = statusOf[availability];
  if (becomes === undefined || (status !== undefined && becomes !== status)) throw new DomainError('EVENT_FULL');
  return becomes;
}

/** A given status overrides the registration; naming a user overrides a closed registration. */
function registrationFor(
  { registration }: Pick<EventPlaces, 'registration'>,
  { named, status }: Pick<NewSubscription, 'named' | 'status'>,
): EventRegistration {
  if (status !== undefined) return 'open';
  return named && registration === 'closed' ? 'open' : registration;
}
