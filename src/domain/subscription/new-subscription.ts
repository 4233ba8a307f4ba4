import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import type { EventRegistration } from '../event/event.entity.ts';
import { type Availability, availabilityOf, hasFreePlace } from '../event/event-moment.ts';
import type { EventPlaces, LockedPlaces } from '../event/lock-event.ts';
import type { KeptAnswers } from './answers.ts';
import { fillPlaces } from './places.ts';
import { Subscription, type SubscriptionStatus } from './subscription.entity.ts';
import { type LiveStatus, liveStatuses } from './subscription.state.ts';
import { mailHolder, recordChange } from './subscription-history.ts';

type Tx = Transaction<MemberContext>;

/** A requested subscription. */
export interface NewSubscription extends KeptAnswers {
  user_id: string;
  /** The initial status, if a manager gives one. */
  status: LiveStatus | undefined;
  /** Whether a manager names the user. */
  named: boolean;
  notify: boolean;
  /** The name of a guest whose mailbox a mailed link proved, whether or not an account exists. */
  guest_name?: string;
}

/**
 * Makes a subscription, with its history and mail; the event must be locked (interface/subscriptions.md#subscribing).
 *
 * @param others from {@link findOthers}
 * @throws DomainError ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED, REGISTRATION_CLOSED, EVENT_FULL, in this order
 */
export async function makeSubscription(
  tx: Tx,
  event: LockedPlaces,
  others: Others,
  wanted: NewSubscription,
): Promise<Subscription> {
  const { user_id, answers, form_version, guest_name = null, notify } = wanted;
  requireNewcomer(tx, others);
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
  await recordChange(tx, { event, subscription }, { from: null, to: status });
  // only a manager can put somebody on the waiting list while there is a free place
  const mayMove = status === 'waitlisted' && hasFreePlace(event);
  const moved = mayMove ? await fillPlaces(tx, [event], { notify }) : [];
  if (moved.includes(subscription.id)) await tx.em.refresh(subscription);
  else if (notify) await mailHolder(tx, subscription, { from: null, to: status });
  return subscription;
}

/** What a new subscription by a user depends on: the existing ones of the event, and the user. */
interface Others {
  /** The status of the user's newest subscription; null if there is none. */
  newest: SubscriptionStatus | null;
  isLive: boolean;
  somebodyWaits: boolean;
  /** The name of the user's account. */
  name: string;
  /** The time that puts a new entry at the end of the waiting list, in Unix milliseconds. */
  endOfList: number;
}

/** The event must be locked first, so that what this reads cannot change. */
export async function findOthers(tx: Tx, eventId: string, userId: string): Promise<Others> {
  const own = sql`from subscription where event_id = ${eventId}::uuid and user_id = ${userId}::uuid`;
  const waiting = waitingListOf(eventId);
  const others = await tx.db.row<Others>(sql`select
      (select status ${own} order by created_at desc, id desc limit 1) as newest,
      exists (select ${own} and status = any(${liveStatuses}::text[])) as "isLive",
      exists (select ${waiting}) as "somebodyWaits",
      (select name from "user" where id = ${userId}::uuid) as name,
      (select ${endOfListSql} ${waiting}) as "endOfList"`);
  if (!others) throw new Error('a select without a table returned no row');
  return others;
}

/** The waiting list of an event, as a `from` clause. */
function waitingListOf(eventId: string): Sql {
  return sql`from subscription where event_id = ${eventId}::uuid and status = 'waitlisted'`;
}

/**
 * The end of the waiting list, selected from {@link waitingListOf} in Unix milliseconds: later than every entry, even
 * if the clocks of processes differ. The event must be locked.
 */
const endOfListSql = sql`ceil(extract(epoch from
  greatest(clock_timestamp(), max(waiting_since) + interval '1 millisecond')) * 1000)::float8`;

/** The time for a new entry at the end of the waiting list. The event must be locked. */
export async function endOfWaitingList(tx: Transaction, eventId: string): Promise<string> {
  const last = await tx.db.row<{ time: number }>(sql`select ${endOfListSql} as time ${waitingListOf(eventId)}`);
  return new Date(last?.time ?? Date.now()).toISOString();
}

/** @throws DomainError ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED */
function requireNewcomer(tx: Tx, { newest, isLive }: Others): void {
  if (isLive) throw new DomainError('ALREADY_SUBSCRIBED');
  if (newest === 'declined' && !isManager(tx.membership)) throw new DomainError('SUBSCRIPTION_DECLINED');
}

const statusOf: Partial<Record<Availability, LiveStatus>> = {
  open: 'accepted',
  approval: 'pending',
  waiting_list: 'waitlisted',
};

/**
 * The status of a new subscription (interface/subscriptions.md#subscribing).
 *
 * @throws DomainError REGISTRATION_CLOSED, EVENT_FULL
 */
function firstStatus(
  tx: Tx,
  event: EventPlaces,
  { named, status }: Pick<NewSubscription, 'named' | 'status'>,
  { somebodyWaits }: Others,
): SubscriptionStatus {
  const registration = registrationFor(event, { named, status });
  const facts = { ...event, registration, somebody_waits: somebodyWaits };
  const availability = availabilityOf(facts, tx.now, { afterEnd: isManager(tx.membership) });
  if (availability === 'closed') throw new DomainError('REGISTRATION_CLOSED');
  if (status === 'pending' || status === 'waitlisted') return status;
  const becomes = statusOf[availability];
  if (becomes === undefined || (status !== undefined && becomes !== status)) throw new DomainError('EVENT_FULL');
  return becomes;
}

/** A given status overrides the registration; a manager who names a user overrides a closed registration. */
function registrationFor(
  { registration }: EventPlaces,
  { named, status }: Pick<NewSubscription, 'named' | 'status'>,
): EventRegistration {
  if (status !== undefined) return 'open';
  return named && registration === 'closed' ? 'open' : registration;
}
