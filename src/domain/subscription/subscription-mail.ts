import { type InferResult, type NotNull, sql } from 'kysely';
import { built } from '#postgres-access';
import { provenMemberships } from '../access/memberships.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { type EventFacts, eventFactColumns, toEventFacts } from '../event/event-facts.ts';
import type { EventNotice } from '../event/event-notice.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import { anyOf, tables } from '../tables/tables.ts';
import type { Told } from './queue-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { isLive } from './subscription.state.ts';
import { ownLink } from './subscription-link.ts';

export interface MailFacts {
  id: string;
  status: SubscriptionStatus;
  eventStatus: number;
  /** Or was when it was archived. */
  cancelled: boolean;
  event: EventFacts;
  /** Whether the holder is not a member of the organization, and needs a link to the subscription. */
  outside: boolean;
  to: Recipient;
}

// not prepared: PostgreSQL plans a statement with an array each time
const factsOf = (ids: readonly string[]) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .innerJoin('user as u', 'u.id', 's.user_id')
    .select(eventFactColumns)
    .select(['s.id', 's.status', 'e.status as event_status', 'e.archived_cancelled', 'u.email', 's.mailbox_proven'])
    .select((eb) => [
      eb('u.verified_at', 'is not', null).as('verified'),
      // a guest is greeted by the name given here, the owner of an account by the account's
      sql<string>`case when u.password_hash is null then coalesce(s.guest_name, u.name) else u.name end`.as('name'),
      sql<boolean>`not exists (select from ${provenMemberships} m
        where m.user_id = u.id and m.organization_id = e.organization_id)`.as('outside'),
    ])
    .where('s.id', '=', anyOf(ids))
    .where('u.email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .orderBy('e.date_start')
    .orderBy('s.id');

/** Ordered by the start of the events, without subscriptions whose holder has no proven address. */
export async function findMailFacts({ db }: ComposeContext, ids: readonly string[]): Promise<MailFacts[]> {
  const rows = await db.rows(built(factsOf(ids)));
  return rows.filter((row) => row.verified || row.mailbox_proven).map(toFacts);
}

function toFacts(row: InferResult<ReturnType<typeof factsOf>>[number]): MailFacts {
  const { CANCELLED, ARCHIVED } = eventStatuses;
  return {
    id: row.id,
    status: row.status,
    eventStatus: row.event_status,
    cancelled: row.event_status === CANCELLED || (row.event_status === ARCHIVED && row.archived_cancelled),
    event: toEventFacts(row),
    outside: row.outside,
    to: { address: row.email, name: row.verified ? row.name : null },
  };
}

export interface ToHolder {
  event: EventFacts;
  /** For holders who are not members of the organization; null for others. */
  link: string | null;
  to: Recipient;
}

/** `list` if the waiting list moved up. */
type ChangedBy = 'holder' | 'manager' | 'list';

export type SubscriptionLetter = ToHolder & { status: SubscriptionStatus } & (
    | { kind: 'subscription'; by: ChangedBy }
    | { kind: 'event_notice'; notice: EventNotice }
  );

interface ChangeData {
  subscriptionId: string;
  status: SubscriptionStatus;
  by: ChangedBy;
  told: Pick<Told, 'status'>;
}

/** Has the facts about the event at the time of sending (reference/subscriptions.md#mails). */
export const changeMail: Mail<ChangeData, SubscriptionLetter> = {
  kind: 'subscription_changed',
  async compose(ctx, { subscriptionId, status, by }) {
    const [facts] = await findMailFacts(ctx, [subscriptionId]);
    return facts ? { kind: 'subscription', status, by, ...(await toHolder(ctx, facts)) } : null;
  },
};

export const noticeMail: Mail<{ subscriptionId: string; notice: EventNotice; told: Told }, SubscriptionLetter> = {
  kind: 'event_notice',
  async compose(ctx, { subscriptionId, notice }) {
    const [facts] = await findMailFacts(ctx, [subscriptionId]);
    if (!facts || !isLive(facts.status)) return null;
    if ((notice === 'changed' || notice === 'reminder') && facts.eventStatus !== eventStatuses.ACTIVE) return null;
    if (notice === 'reminder' && facts.status !== 'accepted') return null;
    return { kind: 'event_notice', notice, status: facts.status, ...(await toHolder(ctx, facts)) };
  },
};

async function toHolder(ctx: ComposeContext, { id, event, outside, to }: MailFacts): Promise<ToHolder> {
  return { event, link: outside ? await ownLink(ctx, id) : null, to };
}
