import sql from 'sql-template-tag';
import type { ComposeContext, Composers } from '../mail/composing.ts';
import { type EventFactsRow, eventFactColumns, toEventFacts } from '../mail/event-facts.ts';
import type { Letter } from '../mail/letter.ts';
import { hashToken, makeToken } from '../secret-token.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { liveStatuses } from '../subscription/subscription.state.ts';
import { ownLink } from './own-link-mail.ts';
import { requestHours } from './request-subscription.ts';

interface RequestRow extends EventFactsRow {
  event_id: string;
  mailbox: string;
  email: string;
  name: string;
}

/** The mail that proves the mailbox of somebody who wants to subscribe, or leads to the subscription that there is. */
export const guestMail = {
  async guest_subscription_requested(ctx, { requestId }) {
    const request = await ctx.db.row<RequestRow>(sql`select r.event_id, r.mailbox, r.email, r.name, ${eventFactColumns}
        from guest_request r join event e on e.id = r.event_id join organization o on o.id = e.organization_id
        where r.id = ${requestId}::uuid and r.expires_at > now()`);
    if (!request) return null;
    const letter = (await mayMail(ctx, request)) ? await compose(ctx, requestId, request) : null;
    // what has no link to confirm is of no use to anybody
    if (letter?.kind !== 'guest_confirm')
      await ctx.db.row(sql`delete from guest_request where id = ${requestId}::uuid`);
    return letter;
  },
} satisfies Partial<Composers>;

async function compose(ctx: ComposeContext, requestId: string, request: RequestRow): Promise<Letter | null> {
  const event = toEventFacts(request);
  const to = { address: request.email, name: null };
  const subscribed = await findLive(ctx, request);
  if (subscribed) {
    const link = await ownLink(ctx, subscribed.id);
    return link === null ? null : { kind: 'guest_link', link, status: subscribed.status, event, to };
  }
  const token = await giveToken(ctx, requestId);
  const link = `${ctx.publicUrl}/confirm-subscription?token=${token}`;
  return token === null ? null : { kind: 'guest_confirm', link, hours: requestHours, name: request.name, event, to };
}

/** Whether one more such mail may go to a mailbox: at most 3 an hour for an event, and 10 for all. */
async function mayMail({ first, services }: ComposeContext, { mailbox, event_id }: RequestRow): Promise<boolean> {
  if (!first) return true;
  const keys = [
    { rule: 'guest_event', key: `${mailbox} ${event_id}` },
    { rule: 'guest_mailbox', key: mailbox },
  ] as const;
  return await services.limits.tryTakeAll(...keys);
}

/** The live subscription of an address to an event; undefined if there is none. */
async function findLive(
  { db }: ComposeContext,
  { event_id, email }: RequestRow,
): Promise<{ id: string; status: SubscriptionStatus } | undefined> {
  return await db.row(sql`select s.id, s.status from subscription s join "user" u on u.id = s.user_id
      where s.event_id = ${event_id}::uuid and lower(u.email) = lower(${email})
        and s.status = any(${liveStatuses}::text[]) limit 1`);
}

/**
 * Gives a request its token, and takes those away that the same mailbox asked for earlier; null if a later one has a mail
 * already.
 */
async function giveToken({ db }: ComposeContext, requestId: string): Promise<string | null> {
  const token = makeToken();
  const hash = hashToken(token);
  const given = await db.row(sql`update guest_request r
      set hash = ${hash}, expires_at = now() + make_interval(hours => ${requestHours})
      where r.id = ${requestId}::uuid and not exists (
        select from guest_request later where later.event_id = r.event_id and later.mailbox = r.mailbox
          and later.hash is not null and (later.created_at, later.id) > (r.created_at, r.id)
      ) returning r.id`);
  if (!given) return null;
  await db.rows(sql`delete from guest_request earlier using guest_request r
      where r.id = ${requestId}::uuid and earlier.event_id = r.event_id and earlier.mailbox = r.mailbox
        and earlier.hash is not null and (earlier.created_at, earlier.id) < (r.created_at, r.id)`);
  return token;
}
