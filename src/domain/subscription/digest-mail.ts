import sql from 'sql-template-tag';
import { eventStatuses } from '../event/event.entity.ts';
import { fingerprintOf } from '../event/event-notice.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import { findMailFacts, type MailFacts } from './mail-facts.ts';
import { digestKind, type Told } from './queue-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { isLive } from './subscription.state.ts';
import { ownLink } from './subscription-link.ts';
import type { ToHolder } from './subscription-mail.ts';

/** The current state of a subscription. */
export interface DigestItem extends Omit<ToHolder, 'to'> {
  status: SubscriptionStatus;
  cancelled: boolean;
  /** Whether the mail reminds the holder of the event. */
  startsSoon: boolean;
}

export interface DigestLetter {
  kind: 'subscription_digest';
  items: DigestItem[];
  /** Whether there are more changed subscriptions than the items. */
  more: boolean;
  to: Recipient;
}

/**
 * The mail that replaces those beyond a recipient's budget: the current state of the subscriptions that changed
 * (interface/subscriptions.md#mail-budgets). It leaves out what the holder knows already; if nothing remains, no mail
 * is sent. The keys of `told` are `subscription:topic`.
 */
export const digestMail: Mail<{ told: Record<string, unknown>; more?: boolean }, DigestLetter> = {
  kind: digestKind,
  async compose(ctx, { told, more = false }) {
    const bySubscription = toldBySubscription(told);
    const facts = await findMailFacts(ctx, [...bySubscription.keys()]);
    if (await isOvertaken(ctx, bySubscription)) return { kind: 'postponed', seconds: 5 };
    const news = facts.filter((each) => isNews(each, bySubscription.get(each.id) ?? {}));
    const [first] = news;
    if (!first) return null;
    const items: DigestItem[] = [];
    for (const each of news) items.push(await toItem(ctx, each, bySubscription.get(each.id) ?? {}));
    return { kind: 'subscription_digest', items, more, to: first.to };
  },
};

/**
 * Whether the facts may be the result of changes that wait behind this digest. Those would become a further digest, which
 * takes for known what was so before them: if this one told their result already, it would be silent about a change back.
 */
async function isOvertaken({ db }: ComposeContext, about: ReadonlyMap<string, Told>): Promise<boolean> {
  const waiting = await db.row(sql`select from subscription s join event e on e.id = s.event_id
      where s.id = any(${[...about.keys()]}::uuid[]) and (exists (
        select from notice_fan_out f where f.event_id = e.id and f.attempts = 0
          and (f.after_id is null or (s.created_at, s.id) > (f.after_created_at, f.after_id))
      ) or exists (
        select from mail_job later where later.organization_id = e.organization_id and later.recipient = s.user_id
          and later.due_at is not null and later.attempts = 0 and (later.about = s.id or later.kind = ${digestKind})
      )) limit 1`);
  return waiting !== undefined;
}

function toldBySubscription(told: Record<string, unknown>): Map<string, Told> {
  const found = new Map<string, Told>();
  for (const [key, value] of Object.entries(told)) {
    const [id = '', topic = ''] = key.split(':');
    found.set(id, { ...found.get(id), [topic]: value });
  }
  return found;
}

function isNews(facts: MailFacts, told: Told): boolean {
  if (told.status !== undefined && told.status !== facts.status) return true;
  if (!isLive(facts.status)) return false;
  if (told.cancelled !== undefined && told.cancelled !== facts.cancelled) return true;
  if (facts.eventStatus !== eventStatuses.ACTIVE) return false;
  return (told.moment !== undefined && told.moment !== momentOf(facts)) || startsSoon(facts, told);
}

function momentOf({ event: { start, end, timezone, location } }: MailFacts): string {
  return fingerprintOf({ date_start: start.toISOString(), date_end: end.toISOString(), timezone, location });
}

function startsSoon({ status, eventStatus, event }: MailFacts, told: Told): boolean {
  const isAhead = event.start.getTime() > Date.now();
  return told.reminder !== undefined && status === 'accepted' && eventStatus === eventStatuses.ACTIVE && isAhead;
}

async function toItem(ctx: ComposeContext, facts: MailFacts, told: Told): Promise<DigestItem> {
  const { id, event, status, cancelled, outside } = facts;
  const link = outside ? await ownLink(ctx, id) : null;
  return { event, status, cancelled, startsSoon: startsSoon(facts, told), link };
}
