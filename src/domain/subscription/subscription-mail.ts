import { eventStatuses } from '../event/event.entity.ts';
import type { EventFacts } from '../event/event-facts.ts';
import type { EventNotice } from '../event/event-notice.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import { findMailFacts, type MailFacts } from './mail-facts.ts';
import type { Told } from './queue-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { isLive } from './subscription.state.ts';
import { ownLink } from './subscription-link.ts';

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
