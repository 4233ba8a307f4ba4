import sql from 'sql-template-tag';
import { countedMailbox } from '../../kernel/input/email-address.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import { type EventFacts, type EventFactsRow, eventFactColumns, toEventFacts } from '../event/event-facts.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { liveStatuses } from '../subscription/subscription.state.ts';
import { ownLink } from '../subscription/subscription-link.ts';

interface RequestRow extends EventFactsRow {
  event_id: string;
  mailbox: string;
  email: string;
  name: string;
}

export type GuestLetter = { event: EventFacts; link: string; to: Recipient } & (
  | { kind: 'guest_confirm'; hours: number; name: string }
  | { kind: 'guest_link'; status: SubscriptionStatus }
);

/** Hours for which a request can be confirmed. */
export const requestHours = 24;

/** The mail that proves the mailbox of a person who wants to subscribe, or links to the existing subscription. */
export const guestMail: Mail<{ requestId: string }, GuestLetter> = {
  kind: 'guest_subscription_requested',
  async compose(ctx, { requestId }) {
    const request = await ctx.db.row<RequestRow>(sql`select r.event_id, r.mailbox, r.email, r.name, ${eventFactColumns}
        from guest_request r join event e on e.id = r.event_id join organization o on o.id = e.organization_id
        where r.id = ${requestId}::uuid and r.expires_at > now()`);
    if (!request) return null;
    const letter = (await mayMail(ctx, request)) ? await letterFor(ctx, requestId, request) : null;
    // a request without a confirmation link is useless
    if (letter?.kind !== 'guest_confirm')
      await ctx.db.row(sql`delete from guest_request where id = ${requestId}::uuid`);
    return letter;
  },
};

async function letterFor(ctx: ComposeContext, requestId: string, request: RequestRow): Promise<GuestLetter | null> {
  const event = toEventFacts(request);
  const subscribed = await findLive(ctx, request);
  if (subscribed) {
    // to the stored address, not the typed one, however similar they are
    const to = { address: subscribed.email, name: null };
    const link = await ownLink(ctx, subscribed.id);
    return link === null ? null : { kind: 'guest_link', link, status: subscribed.status, event, to };
  }
  const token = await giveToken(ctx, requestId);
  const link = `${ctx.publicUrl}/confirm-subscription?token=${token}`;
  const to = { address: request.email, name: null };
  return token === null ? null : { kind: 'guest_confirm', link, hours: requestHours, name: request.name, event, to };
}

/** Whether another such mail may be sent to a mailbox: at most 3 an hour for an event, and 10 in all. */
async function mayMail({ first, services }: ComposeContext, { mailbox, event_id }: RequestRow): Promise<boolean> {
  if (!first) return true;
  const counted = countedMailbox(mailbox);
  const keys = [
    { rule: 'guest_event', key: `${counted} ${event_id}` },
    { rule: 'guest_mailbox', key: counted },
  ] as const;
  return await services.limits.tryTakeAll(...keys);
}

/** The live subscription of a mailbox to an event, with its user's address; undefined if there is none. */
async function findLive(
  { db }: ComposeContext,
  { event_id, mailbox }: RequestRow,
): Promise<{ id: string; status: SubscriptionStatus; email: string } | undefined> {
  return await db.row(sql`select s.id, s.status, u.email from subscription s join "user" u on u.id = s.user_id
      where s.event_id = ${event_id}::uuid and u.mailbox = ${mailbox}
        and s.status = any(${liveStatuses}::text[]) limit 1`);
}

/** Gives a request its token, unless it is gone. Tokens of earlier requests stay valid until one is used. */
async function giveToken({ db }: ComposeContext, requestId: string): Promise<string | null> {
  const token = makeToken();
  const given = await db.row(sql`update guest_request
      set hash = ${hashToken(token)}, expires_at = now() + make_interval(hours => ${requestHours})
      where id = ${requestId}::uuid returning id`);
  return given ? token : null;
}
