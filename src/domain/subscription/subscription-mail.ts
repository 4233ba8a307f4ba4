import sql from 'sql-template-tag';
import { eventStatuses } from '../event/event.entity.ts';
import { ownLink } from '../guest/own-link-mail.ts';
import type { ComposeContext, Composers } from '../mail/composing.ts';
import { type EventFactsRow, eventFactColumns, toEventFacts } from '../mail/event-facts.ts';
import type { EventFacts, Recipient } from '../mail/letter.ts';
import { provenMemberships } from '../organization/proven-memberships.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { isLive } from './subscription.state.ts';

/**
 * The mails to the holders of subscriptions (decisions §9). Each tells of one change, with the event as it is when the mail
 * is sent.
 */
export const subscriptionMail = {
  async subscription_changed(ctx, { subscriptionId, status, by }) {
    const facts = await findSubscription(ctx, subscriptionId);
    if (!facts) return null;
    const link = facts.outside ? await ownLink(ctx, subscriptionId) : null;
    return { kind: 'subscription', status, by, event: facts.event, link, to: facts.to };
  },
  async event_notice(ctx, { subscriptionId, notice }) {
    const facts = await findSubscription(ctx, subscriptionId);
    if (!facts || !isLive(facts.status)) return null;
    if ((notice === 'changed' || notice === 'reminder') && facts.eventStatus !== eventStatuses.ACTIVE) return null;
    if (notice === 'reminder' && facts.status !== 'accepted') return null;
    const link = facts.outside ? await ownLink(ctx, subscriptionId) : null;
    return { kind: 'event_notice', notice, status: facts.status, event: facts.event, link, to: facts.to };
  },
} satisfies Partial<Composers>;

interface MailFacts {
  status: SubscriptionStatus;
  eventStatus: number;
  event: EventFacts;
  /** Whether the holder is no member of the organization, and so needs a link to the subscription. */
  outside: boolean;
  to: Recipient;
}

async function findSubscription({ db }: ComposeContext, id: string): Promise<MailFacts | null> {
  const row = await db.row<
    EventFactsRow & {
      status: SubscriptionStatus;
      event_status: number;
      email: string;
      name: string;
      verified: boolean;
      mailbox_proven: boolean;
      outside: boolean;
    }
  >(sql`select s.status, e.status as event_status, ${eventFactColumns}, u.email, s.mailbox_proven,
        -- a guest is greeted by the name that they gave here, whoever has an account by their own
        case when u.password_hash is null then coalesce(s.guest_name, u.name) else u.name end as name,
        u.verified_at is not null as verified, not exists (
          select from (${provenMemberships}) m where m.user_id = u.id and m.organization_id = e.organization_id
        ) as outside
      from subscription s join event e on e.id = s.event_id join organization o on o.id = e.organization_id
        join "user" u on u.id = s.user_id
      where s.id = ${id}::uuid`);
  // nothing is sent to an address that nobody proved
  if (!row || !(row.verified || row.mailbox_proven)) return null;
  return {
    status: row.status,
    eventStatus: row.event_status,
    event: toEventFacts(row),
    outside: row.outside,
    to: { address: row.email, name: row.verified ? row.name : null },
  };
}
