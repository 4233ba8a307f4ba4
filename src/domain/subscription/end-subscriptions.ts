import { type RawBuilder, sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import { changedNow } from '../../engine/columns.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { acceptedBy, type LoggedEvent, recordSubscriptionChange } from '../change/change-log.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { fillPlaces } from './places.ts';
import { queueMails } from './queue-mails.ts';
import type { Subscription } from './subscription.entity.ts';
import { liveStatuses } from './subscription.state.ts';
import { historySql } from './subscription-history.ts';
import { changeMail } from './subscription-mail.ts';

interface Leaving {
  userId: string;
  /** The organization that the user leaves; all of them if absent. */
  organizationId?: string;
  actorId: string | null;
  /** In all their subscriptions: the answers, or also the name that a guest gave and that the mailbox is proven. */
  erase: 'nothing' | 'answers' | 'answers and name';
  /** Whether the holder gets a mail for each. */
  notify: boolean;
}

type Row = Pick<Subscription, 'id' | 'event_id' | 'user_id' | 'status'>;

/**
 * Cancels the live subscriptions of somebody who leaves, to events that have not ended, even if checked in; waiting lists move
 * up (reference/subscriptions.md#leaving-the-organization). Delete the memberships first, so that no new one can follow.
 */
export async function endSubscriptions(tx: Transaction, leaving: Leaving): Promise<void> {
  await tx.em.flush();
  const events = await lockEvents(tx, leaving);
  const running = events.filter(({ running: isRunning }) => isRunning);
  await cancel(tx, running, leaving);
  await erase(tx, events, leaving);
  if (running.length > 0) await fillPlaces(tx, running, { notify: true });
}

/** The events whose subscriptions change, in the common order of locks (note 0035). */
async function lockEvents(
  { db, now }: Transaction,
  { userId, organizationId, erase: what }: Leaving,
): Promise<(LoggedEvent & { running: boolean })[]> {
  const mine = tables.selectFrom('subscription as s').where('s.user_id', '=', userId);
  const ofEvent = mine.where('s.event_id', '=', sql.ref<string>('e.id'));
  const live = ofEvent.where('s.status', '=', anyOf(liveStatuses));
  const running = sql<boolean>`(e.date_end >= ${now.toISOString()}::timestamptz and exists ${live})`;
  const events = tables
    .selectFrom('event as e')
    .select(['e.id', 'e.organization_id', 'e.status', 'e.version', running.as('running')])
    .where('e.id', 'in', mine.select('s.event_id'))
    .where(sql<boolean>`(${running} or exists ${ofEvent.where(erasable[what])})`)
    .orderBy('e.id')
    .forUpdate();
  return await db.rows(
    built(organizationId === undefined ? events : events.where('e.organization_id', '=', organizationId)),
  );
}

/** Which subscriptions `s` still hold what is to be erased. */
const erasable: Record<Leaving['erase'], RawBuilder<boolean>> = {
  nothing: sql`false`,
  answers: sql`(s.answers is not null or s.form_version is not null)`,
  'answers and name': sql`(s.answers is not null or s.form_version is not null or s.guest_name is not null or s.mailbox_proven)`,
};

const cancelLive = prepared((at: { userId: string; eventIds: readonly string[] }) =>
  tables
    .with('live', (query) =>
      query
        .selectFrom('subscription')
        .select(['id', 'event_id', 'user_id', 'status'])
        .where('event_id', '=', anyOf(at.eventIds))
        .where('user_id', '=', at.userId)
        .where('status', '=', anyOf(liveStatuses)),
    )
    .updateTable('subscription')
    .from('live')
    .set({ status: 'cancelled', waiting_since: null, updated_at: sql.raw(changedNow('subscription')) })
    .whereRef('subscription.id', '=', 'live.id')
    .returning(['live.id', 'live.event_id', 'live.user_id', 'live.status']),
);

async function cancel(
  tx: Transaction,
  events: readonly LoggedEvent[],
  { userId, actorId, notify }: Leaving,
): Promise<void> {
  if (events.length === 0) return;
  const cancelled = await tx.db.rows(cancelLive({ userId, eventIds: events.map(({ id }) => id) }));
  const changes = cancelled.map(({ id, status }) => ({ subscriptionId: id, from: status, to: 'cancelled' }) as const);
  await tx.db.rows(historySql(changes, actorId));
  for (const subscription of cancelled) {
    const accepted = acceptedBy(subscription.status, 'cancelled');
    recordSubscriptionChange(tx, eventOf(events, subscription), { op: 'changed', subscription, actorId, accepted });
  }
  if (!notify) return;
  const by = userId === actorId ? ('holder' as const) : ('manager' as const);
  await queueMails(
    tx,
    changeMail,
    cancelled.map(({ id, status }) => ({ subscriptionId: id, status: 'cancelled' as const, by, told: { status } })),
  );
}

function eventOf(events: readonly LoggedEvent[], { event_id: eventId }: Row): LoggedEvent {
  return events.find(({ id }) => id === eventId) as LoggedEvent;
}

async function erase(
  tx: Transaction,
  events: readonly LoggedEvent[],
  { userId, actorId, erase: what }: Leaving,
): Promise<void> {
  if (what === 'nothing' || events.length === 0) return;
  // nobody holds the mailbox any more, so no manager may reinstate the subscription
  const guest = what === 'answers and name' ? { guest_name: null, mailbox_proven: false } : {};
  const erased = await tx.db.rows(
    built(
      tables
        .updateTable('subscription as s')
        .set({ answers: null, form_version: null, ...guest, updated_at: sql.raw(changedNow('s')) })
        .where('s.event_id', '=', anyOf(events.map(({ id }) => id)))
        .where('s.user_id', '=', userId)
        .where(erasable[what])
        .returning(['s.id', 's.event_id', 's.user_id', 's.status']),
    ),
  );
  for (const subscription of erased) {
    recordSubscriptionChange(tx, eventOf(events, subscription), { op: 'changed', subscription, actorId, accepted: 0 });
  }
}
