import { type NotNull, sql } from 'kysely';
import { countedMailbox } from '#input-values';
import { prepared, type RowOf } from '#postgres-access';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import { type EventFacts, eventFactColumns, toEventFacts } from '../event/event-facts.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { liveStatuses } from '../subscription/subscription.state.ts';
import { ownLink } from '../subscription/subscription-link.ts';
import { anyOf, now, tables } from '../tables/tables.ts';

const requested = prepared((at: { id: string }) =>
  tables
    .selectFrom('guest_request as r')
    .innerJoin('event as e', 'e.id', 'r.event_id')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['r.mailbox', 'r.email', 'r.name'])
    .select(eventFactColumns)
    .where('r.id', '=', at.id)
    .where('r.expires_at', '>', now),
);
type RequestRow = RowOf<typeof requested>;

const drop = prepared((at: { id: string }) => tables.deleteFrom('guest_request').where('id', '=', at.id));

export type GuestLetter = { event: EventFacts; link: string; to: Recipient } & (
  | { kind: 'guest_confirm'; hours: number; name: string }
  | { kind: 'guest_link'; status: SubscriptionStatus }
);

export const requestHours = 24;

/** Proves the mailbox of a person who wants to subscribe, or links to the existing subscription. */
export const guestMail: Mail<{ requestId: string }, GuestLetter> = {
  kind: 'guest_subscription_requested',
  async compose(ctx, { requestId }) {
    const request = await ctx.db.row(requested({ id: requestId }));
    if (!request) return null;
    const letter = (await mayMail(ctx, request)) ? await letterFor(ctx, requestId, request) : null;
    // a request without a confirmation link is useless
    if (letter?.kind !== 'guest_confirm') await ctx.db.row(drop({ id: requestId }));
    return letter;
  },
};

async function letterFor(ctx: ComposeContext, requestId: string, request: RequestRow): Promise<GuestLetter | null> {
  const event = toEventFacts(request);
  const subscribed = await ctx.db.row(liveSubscription(request));
  if (subscribed) {
    // the stored address, not the typed one, however similar they are
    const to = { address: subscribed.email, name: null };
    const link = await ownLink(ctx, subscribed.id);
    return link === null ? null : { kind: 'guest_link', link, status: subscribed.status, event, to };
  }
  const token = await giveToken(ctx, requestId);
  const link = `${ctx.publicUrl}/confirm-subscription?token=${token}`;
  const to = { address: request.email, name: null };
  return token === null ? null : { kind: 'guest_confirm', link, hours: requestHours, name: request.name, event, to };
}

/** At most 3 an hour for an event, and 10 in all. */
async function mayMail({ first, services }: ComposeContext, { mailbox, event_id }: RequestRow): Promise<boolean> {
  if (!first) return true;
  const counted = countedMailbox(mailbox);
  const keys = [
    { rule: 'guest_event', key: `${counted} ${event_id}` },
    { rule: 'guest_mailbox', key: counted },
  ] as const;
  return await services.limits.tryTake(...keys);
}

const liveSubscription = prepared((at: Pick<RequestRow, 'event_id' | 'mailbox'>) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('user as u', 'u.id', 's.user_id')
    .select(['s.id', 's.status', 'u.email'])
    .where('s.event_id', '=', at.event_id)
    .where('u.mailbox', '=', at.mailbox)
    .where('s.status', '=', anyOf(liveStatuses))
    .$narrowType<{ email: NotNull }>()
    .limit(sql.lit(1)),
);

const setToken = prepared((at: { id: string; hash: string }) =>
  tables
    .updateTable('guest_request')
    .set({ hash: at.hash, expires_at: sql<string>`now() + make_interval(hours => ${sql.lit(requestHours)})` })
    .where('id', '=', at.id)
    .returning('id'),
);

/** Null if the request is gone. Tokens of earlier requests stay valid until one is used. */
async function giveToken({ db }: ComposeContext, requestId: string): Promise<string | null> {
  const token = makeToken();
  const given = await db.row(setToken({ id: requestId, hash: hashToken(token) }));
  return given ? token : null;
}
