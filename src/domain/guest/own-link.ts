import type { z } from 'zod';
import { isoTimestamp } from '#input-values';
import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { isPublicEvent } from '../event/event-address.ts';
import type { PublicEventRow } from '../public/public-event.resource.ts';
import { getEventForHolder } from '../public/public-events.ts';
import { answersFields } from '../subscription/answers.ts';
import { isLive } from '../subscription/subscription.state.ts';
import { linkEnd } from '../subscription/subscription-link.ts';
import { updateSubscription } from '../subscription/update-subscription.ts';
import { findWaitingPosition } from '../subscription/waiting-position.ts';
import { now, tables } from '../tables/tables.ts';
import { asHolder, guestTokenInput } from './confirm-subscription.ts';
import { showRequest } from './guest-request.ts';

export const guestAnswersInput = guestTokenInput.extend({
  answers: answersFields.answers.unwrap(),
  form_version: answersFields.form_version,
});

type Token = z.output<typeof guestTokenInput>;

const linkedBy = prepared((at: { hash: string }) =>
  tables
    .selectFrom('guest_link as l')
    .innerJoin('subscription as s', 's.id', 'l.subscription_id')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['s.id', 's.event_id', 'e.organization_id', 's.user_id', 's.status', 's.answers', 's.updated_at'])
    .select(['e.visibility', 'e.status as event_status'])
    .where('l.hash', '=', at.hash)
    .where(linkEnd, '>', now)
    .where('o.deleted_at', 'is', null),
);
type LinkedRow = RowOf<typeof linkedBy>;
export type OwnSubscription = { event: PublicEventRow; waiting_position: number | null } & Pick<
  LinkedRow,
  'status' | 'answers'
>;

/**
 * The subscription of a mailed link, or the one that it would make: then `status` is null. Changes nothing.
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, REGISTRATION_CLOSED if it would subscribe to an event
 * that is no longer public
 */
export async function lookUpLink(
  ctx: Context,
  { token }: Token,
): Promise<OwnSubscription | (Omit<OwnSubscription, 'status'> & { status: null })> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  const linked = await findLinked(ctx, token);
  if (linked) return await showOwn(ctx, linked);
  const { event, answers } = await showRequest(ctx, token);
  return { event, status: null, waiting_position: null, answers };
}

/** @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED */
export async function lookUpSubscription(ctx: Context, { token }: Token): Promise<OwnSubscription> {
  return await showOwn(ctx, await takeLinked(ctx, token));
}

/**
 * Replaces the answers of a mailed link's subscription, as its holder would.
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, VALIDATION_ERROR at `/answers/<key>`, CONFLICT at
 * `/form_version`, INVALID_TRANSITION
 */
export async function changeOwnAnswers(
  ctx: Context,
  { token, answers, form_version }: z.output<typeof guestAnswersInput>,
): Promise<OwnSubscription> {
  const linked = await takeLinked(ctx, token);
  // before the form is checked, since a refusal would reveal something about it
  if (isConcealed(linked)) throw fault('INVALID_TRANSITION', '/answers', 'The subscription is not live.');
  return await transaction(ctx, async (tx) => {
    await update(tx, linked, { answers: answers ?? null, form_version });
    return await showOwn(tx, await requireLinked(tx, token));
  });
}

/**
 * Cancels the subscription of a mailed link, as its holder would; a cancelled one stays cancelled.
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, INVALID_TRANSITION
 */
export async function cancelOwnSubscription(ctx: Context, { token }: Token): Promise<void> {
  const linked = await takeLinked(ctx, token);
  await transaction(ctx, (tx) => update(tx, linked, { status: 'cancelled' }));
}

async function update(
  tx: Transaction,
  { id, user_id: userId, organization_id: organizationId }: LinkedRow,
  fields: Parameters<typeof updateSubscription.run>[1],
): Promise<void> {
  await updateSubscription.run(asHolder(tx, { userId, organizationId }), fields, { id });
}

async function takeLinked(ctx: Context, token: string): Promise<LinkedRow> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  return await requireLinked(ctx, token);
}

async function requireLinked(ctx: Context, token: string): Promise<LinkedRow> {
  const linked = await findLinked(ctx, token);
  if (!linked) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  return linked;
}

/** Undefined if the link is not valid; the caller counts the attempt. */
export async function findLinked({ db }: Pick<Context, 'db'>, token: string): Promise<LinkedRow | undefined> {
  return await db.row(linkedBy({ hash: hashToken(token) }));
}

async function showOwn(ctx: Context, linked: LinkedRow): Promise<OwnSubscription> {
  const event = await getEventForHolder(ctx, linked.event_id);
  const { id, status, answers } = linked;
  const waiting_position = status === 'waitlisted' ? await findWaitingPosition(ctx.db, id) : null;
  return { event: isConcealed(linked) ? concealed(event, linked) : event, status, waiting_position, answers };
}

/** Once the subscription is not live, the holder sees no more of the event than a stranger. */
function isConcealed({ status, visibility, event_status }: LinkedRow): boolean {
  return !isLive(status) && !isPublicEvent({ visibility, status: event_status });
}

/** Only name and time are shown; other values are constant or from the subscription, to reveal no change of the event. */
function concealed(
  { id, name, date_start, date_end, timezone }: PublicEventRow,
  { updated_at }: LinkedRow,
): PublicEventRow {
  return {
    ...{ id, name, slug: id, description: null, status: eventStatuses.ARCHIVED, date_start, date_end, timezone },
    ...{ location: null, registration: 'closed', updated_at: isoTimestamp(updated_at), availability: 'closed' },
  };
}
