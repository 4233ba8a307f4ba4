import { sql } from 'kysely';
import { built } from '#postgres-access';
import { eventStatuses } from '../event/event.entity.ts';
import { isGathering } from '../event/event-mails.ts';
import { fingerprintOf } from '../event/event-notice.ts';
import { isComing } from '../event/fan-out-notice.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import { digestKind, type Told } from './queue-mails.ts';
import type { SubscriptionStatus } from './subscription.entity.ts';
import { isLive } from './subscription.state.ts';
import { ownLink } from './subscription-link.ts';
import { findMailFacts, type MailFacts, type ToHolder } from './subscription-mail.ts';

export interface DigestItem extends Omit<ToHolder, 'to'> {
  status: SubscriptionStatus;
  cancelled: boolean;
  startsSoon: boolean;
}

export interface DigestLetter {
  kind: 'subscription_digest';
  items: DigestItem[];
  more: boolean;
  to: Recipient;
}

/** Seconds until a digest checks again whether changes have become mails. */
const soon = 5;

/**
 * Replaces the mails beyond a recipient's budget: the current state of the subscriptions that changed
 * (reference/subscriptions.md#mail-budgets), without what the holder knows already; no mail if nothing remains. The keys of
 * `told` are `subscription:topic`.
 */
export const digestMail: Mail<{ told: Record<string, unknown>; more?: boolean }, DigestLetter> = {
  kind: digestKind,
  async compose(ctx, { told, more = false }) {
    const bySubscription = toldBySubscription(told);
    const facts = await findMailFacts(ctx, [...bySubscription.keys()]);
    const seconds = await secondsToWait(ctx, bySubscription);
    if (seconds !== null) return { kind: 'postponed', seconds };
    const news = facts.filter((each) => isNews(each, bySubscription.get(each.id) ?? {}));
    const [first] = news;
    if (!first) return null;
    const items: DigestItem[] = [];
    for (const each of news) items.push(await toItem(ctx, each, bySubscription.get(each.id) ?? {}));
    return { kind: 'subscription_digest', items, more, to: first.to };
  },
};

/**
 * Seconds to wait while changes are pending that will become mails after this digest; null if there are none. They would become
 * a further digest, which assumes that the holder knows the state before them: if this one sent their result already, it
 * would omit a change back.
 */
async function secondsToWait({ db }: ComposeContext, about: ReadonlyMap<string, Told>): Promise<number | null> {
  // a text: it aggregates from three tables
  const statement = built(sql<{ seconds: number }>`
      select greatest(${soon}, max(extract(epoch from gathered.due_at - now())))::float8 as seconds
      from subscription s join event e on e.id = s.event_id
        left join event_change_notice gathered on gathered.event_id = e.id and ${isGathering(sql`gathered`)}
      where s.id = any(${[...about.keys()]}::uuid[]) and (gathered.event_id is not null or exists (
        select from job f where f.party = e.organization_id and f.key = e.id::text and ${isComing(sql`f`)}
      ) or exists (
        select from job later where later.party = e.organization_id and later.key = s.user_id::text
          and later.due_at is not null and later.attempts = 0 and (later.about = s.id or later.kind = ${digestKind})
      )) having count(*) > 0`);
  const waiting = await db.row(statement);
  return waiting?.seconds ?? null;
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
