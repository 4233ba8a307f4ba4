import sql from 'sql-template-tag';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { networkKeys } from '../limits/client-network.ts';
import type { PublicEventRow } from '../public/public-event.resource.ts';
import { getShownEvent } from '../public/public-events.ts';
import { hashToken } from '../secret-token.ts';
import { answersFields } from '../subscription/answers.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { updateSubscription } from '../subscription/update-subscription.ts';
import { type Transaction, transaction } from '../transaction.ts';
import { asHolder } from './as-holder.ts';
import { guestTokenInput } from './confirm-subscription.ts';
import { linkEnd } from './guest-token.ts';

export const guestAnswersInput = guestTokenInput.extend({
  answers: answersFields.answers.unwrap(),
  form_version: answersFields.form_version,
});

type Token = z.output<typeof guestTokenInput>;

/** What a link to a subscription shows. */
export interface OwnSubscription {
  event: PublicEventRow;
  status: SubscriptionStatus;
  answers: Record<string, unknown> | null;
}

interface Linked {
  id: string;
  event_id: string;
  organization_id: string;
  user_id: string;
  status: SubscriptionStatus;
  answers: Record<string, unknown> | null;
}

/** The subscription of a mailed link. @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED */
export async function lookUpSubscription(ctx: Context, { token }: Token): Promise<OwnSubscription> {
  return await show(ctx, await findLinked(ctx, token));
}

/**
 * Replaces the answers of the subscription of a mailed link, as its holder does.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, VALIDATION_ERROR at `/answers/<key>`, CONFLICT at
 * `/form_version`, INVALID_TRANSITION
 */
export async function changeOwnAnswers(
  ctx: Context,
  { token, answers, form_version }: z.output<typeof guestAnswersInput>,
): Promise<OwnSubscription> {
  const linked = await findLinked(ctx, token);
  return await transaction(ctx, async (tx) => {
    await update(tx, linked, { answers: answers ?? null, form_version });
    return await show(tx, await readLinked(tx, token));
  });
}

/**
 * Cancels the subscription of a mailed link, as its holder does; one that is cancelled stays so.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, INVALID_TRANSITION
 */
export async function cancelOwnSubscription(ctx: Context, { token }: Token): Promise<void> {
  const linked = await findLinked(ctx, token);
  await transaction(ctx, (tx) => update(tx, linked, { status: 'cancelled' }));
}

async function update(
  tx: Transaction,
  { id, user_id: userId, organization_id: organizationId }: Linked,
  fields: Parameters<typeof updateSubscription.run>[1],
): Promise<void> {
  await updateSubscription.run(asHolder(tx, { userId, organizationId }), fields, id, { id });
}

async function findLinked(ctx: Context, token: string): Promise<Linked> {
  await ctx.services.limits.take(...networkKeys('token_network', ctx.client.ip));
  return await readLinked(ctx, token);
}

async function readLinked({ db }: Pick<Context, 'db'>, token: string): Promise<Linked> {
  const linked = await db.row<Linked>(sql`select s.id, s.event_id, e.organization_id, s.user_id, s.status, s.answers
      from guest_link l join subscription s on s.id = l.subscription_id join event e on e.id = s.event_id
      where l.hash = ${hashToken(token)} and ${linkEnd} > now()`);
  if (!linked) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  return linked;
}

async function show(ctx: Context, { event_id, status, answers }: Linked): Promise<OwnSubscription> {
  return { event: await getShownEvent(ctx, event_id), status, answers };
}
