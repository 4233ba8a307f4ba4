import { eventStatuses } from '../event/event.entity.ts';
import type { Composers } from '../mail/composing.ts';
import { findMailFacts } from './mail-facts.ts';
import { isLive } from './subscription.state.ts';
import { ownLink } from './subscription-link.ts';

/**
 * The mails to the holders of subscriptions (decisions §9). Each tells of one change, with the event as it is when the mail
 * is sent.
 */
export const subscriptionMail = {
  async subscription_changed(ctx, { subscriptionId, status, by }) {
    const [facts] = await findMailFacts(ctx, [subscriptionId]);
    if (!facts) return null;
    const link = facts.outside ? await ownLink(ctx, subscriptionId) : null;
    return { kind: 'subscription', status, by, event: facts.event, link, to: facts.to };
  },
  async event_notice(ctx, { subscriptionId, notice }) {
    const [facts] = await findMailFacts(ctx, [subscriptionId]);
    if (!facts || !isLive(facts.status)) return null;
    if ((notice === 'changed' || notice === 'reminder') && facts.eventStatus !== eventStatuses.ACTIVE) return null;
    if (notice === 'reminder' && facts.status !== 'accepted') return null;
    const link = facts.outside ? await ownLink(ctx, subscriptionId) : null;
    return { kind: 'event_notice', notice, status: facts.status, event: facts.event, link, to: facts.to };
  },
} satisfies Partial<Composers>;
