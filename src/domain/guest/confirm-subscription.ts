import { randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { displayName, text } from '#input-values';
import { prepared } from '#postgres-access';
import type { Context, MemberContext } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError, faults } from '../../kernel/errors.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { proven } from '../access/memberships.ts';
import { Event } from '../event/event.entity.ts';
import { isPublicEvent } from '../event/event-address.ts';
import { currentForm } from '../event/event-form.ts';
import { answersFields, checkAnswers, type KeptAnswers, requireFormVersion } from '../subscription/answers.ts';
import { findOthers, makeSubscription } from '../subscription/new-subscription.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { now, tables } from '../tables/tables.ts';
import { type GuestRequestRow, takeRequest } from './guest-request.ts';

export const guestTokenInput = z.strictObject({
  token: text.meta({ description: 'The token from the link in a mail.' }),
});

/** Answers sent with the confirmation replace those of the request. */
export const guestConfirmInput = guestTokenInput.extend(answersFields);

type Confirmation = z.output<typeof guestConfirmInput>;

/** The typed name belongs to the subscription, for that organization alone. */
const guestName = 'Guest';

/**
 * Makes the requested subscription by the current rules, with the answers of the request or those sent now. If refused, the
 * link stays valid, and so do other links of the mailbox for the event; otherwise all of them end. An existing account stays
 * as it is: the link proves the mailbox only for this subscription.
 * @param given.name replaces the name of the request
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, CONFLICT at `/form_version`, VALIDATION_ERROR at
 * `/answers/<key>` and `/name`, ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED, REGISTRATION_CLOSED (also if the event is no
 * longer public), EVENT_FULL
 */
export async function confirmGuestSubscription(
  ctx: Context,
  { token, ...given }: Confirmation & { name?: string },
): Promise<{ status: SubscriptionStatus }> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  return await transaction(ctx, async (tx) => {
    const request = await takeRequest(tx, token);
    const userId = await findOrMakeGuest(tx, request);
    await tx.db.row(lockMembership({ userId, eventId: request.event_id }));
    const event = await tx.em.findOne(Event, { id: request.event_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!event || !isPublicEvent(event)) throw new DomainError('REGISTRATION_CLOSED');
    const { name, ...kept } = await confirmed(tx, request, given);
    const holder = asHolder(tx, { userId, organizationId: event.organization_id });
    const { status } = await makeSubscription(holder, event, await findOthers(holder, event.id, userId), {
      ...{ ...kept, user_id: userId, guest_name: name },
      ...{ named: false, status: undefined, notify: true },
    });
    return { status };
  });
}

/**
 * Lets a person with a mailed link act as the holder of a subscription, with a member's rights over their own. Nobody is
 * signed in, so the result must not leave the function that makes it.
 */
export function asHolder(
  tx: Transaction<Context>,
  { userId, organizationId }: { userId: string; organizationId: string },
): Transaction<MemberContext> {
  const viewer = { userId, sessionId: null, key: null };
  // who pays was decided when the transaction began
  return { ...tx, viewer, membership: { organizationId, role: 'member', makerId: null } };
}

async function confirmed(
  { db }: Transaction,
  request: GuestRequestRow,
  given: Omit<Confirmation, 'token'> & { name?: string },
): Promise<KeptAnswers & { name: string }> {
  const stored = { answers: request.answers, form_version: request.form_version };
  const checkedName = checkInput(z.strictObject({ name: displayName }), { name: given.name ?? request.name });
  const issues = 'issues' in checkedName ? [...checkedName.issues] : [];
  let kept: KeptAnswers = stored;
  if (given.answers !== undefined || given.form_version !== undefined) {
    const form = await currentForm(db, request.event_id);
    requireFormVersion(form, given);
    const checked = given.answers === undefined ? { kept: stored } : checkAnswers(form, given, { complete: true });
    if ('issues' in checked) issues.push(...checked.issues);
    else kept = checked.kept;
  }
  if ('issues' in checkedName || issues.length > 0) throw faults('VALIDATION_ERROR', issues);
  return { ...kept, name: checkedName.value.name };
}

const insertUnlessKnown = prepared((at: { id: string; email: string; mailbox: string }) =>
  tables
    .insertInto('user')
    .values({
      id: at.id,
      email: at.email,
      mailbox: at.mailbox,
      name: guestName,
      verified_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((known) => known.column('mailbox').doNothing())
    .returning('id'),
);

const lockKnown = prepared((at: { mailbox: string }) =>
  tables.selectFrom('user').select('id').where('mailbox', '=', at.mailbox).forKeyShare(),
);

/** An existing account stays as it is; a new guest has a verified address and no password. */
async function findOrMakeGuest({ db }: Transaction, { email, mailbox }: GuestRequestRow): Promise<string> {
  const made = await db.row(insertUnlessKnown({ id: randomUUIDv7(), email, mailbox }));
  if (made) return made.id;
  // locked, so that the sweep cannot delete an unverified account
  const known = await db.row(lockKnown({ mailbox }));
  if (!known) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
  return known.id;
}

/** So that leaving the organization also ends this subscription; taken before the lock on the event. */
const lockMembership = prepared((at: { userId: string; eventId: string }) =>
  proven
    .innerJoin('event as e', 'e.organization_id', 'm.organization_id')
    .select('m.id')
    .where(({ and }) => and({ 'e.id': at.eventId, 'm.user_id': at.userId }))
    .forKeyShare(['m', 'u']),
);
