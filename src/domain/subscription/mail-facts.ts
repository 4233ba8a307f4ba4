import sql from 'sql-template-tag';
import { provenMemberships } from '../access/memberships.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { type EventFacts, type EventFactsRow, eventFactColumns, toEventFacts } from '../event/event-facts.ts';
import type { ComposeContext, Recipient } from '../mail/mail.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';

/** The facts in a mail to the holder of a subscription. */
export interface MailFacts {
  id: string;
  status: SubscriptionStatus;
  eventStatus: number;
  /** Whether the event is cancelled, or was when it was archived. */
  cancelled: boolean;
  event: EventFacts;
  /** Whether the holder is not a member of the organization, and so needs a link to the subscription. */
  outside: boolean;
  to: Recipient;
}

interface FactsRow extends EventFactsRow {
  id: string;
  status: SubscriptionStatus;
  event_status: number;
  archived_cancelled: boolean;
  email: string;
  name: string;
  verified: boolean;
  mailbox_proven: boolean;
  outside: boolean;
}

/**
 * The facts about subscriptions, ordered by the start of their events, without those whose holder has no address, or
 * none that is proven.
 */
export async function findMailFacts({ db }: ComposeContext, ids: readonly string[]): Promise<MailFacts[]> {
  const rows =
    await db.rows<FactsRow>(sql`select s.id, s.status, e.status as event_status, e.archived_cancelled, ${eventFactColumns},
        -- greets a guest by the name given here, and the owner of an account by the account's name
        case when u.password_hash is null then coalesce(s.guest_name, u.name) else u.name end as name,
        u.email, s.mailbox_proven, u.verified_at is not null as verified, not exists (
          select from (${provenMemberships}) m where m.user_id = u.id and m.organization_id = e.organization_id
        ) as outside
      from subscription s join event e on e.id = s.event_id join organization o on o.id = e.organization_id
        join "user" u on u.id = s.user_id
      where s.id = any(${ids}::uuid[]) and u.email is not null order by e.date_start, s.id`);
  // no mail goes to an address that is not proven
  return rows.filter((row) => row.verified || row.mailbox_proven).map(toFacts);
}

function toFacts(row: FactsRow): MailFacts {
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
