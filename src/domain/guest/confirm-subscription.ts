import { randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import sql from 'sql-template-tag';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { Event, type EventVisibility, eventStatuses } from '../event/event.entity.ts';
import { text } from '../input/text.ts';
import { networkKeys } from '../limits/client-network.ts';
import { provenMemberships } from '../organization/proven-memberships.ts';
import type { PublicEventRow } from '../public/public-event.resource.ts';
import { getShownEvent } from '../public/public-events.ts';
import { hashToken } from '../secret-token.ts';
import { findOthers, makeSubscription } from '../subscription/new-subscription.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { type Transaction, transaction } from '../transaction.ts';
import { asHolder } from './as-holder.ts';

export const guestTokenInput = z.strictObject({
  token: text.meta({ description: 'The token of the link in a mail.' }),
});

interface Confirmed {
  event_id: string;
  email: string;
  name: string;
  answers: Record<string, unknown> | null;
  form_version: number | null;
}

/**
 * Makes the subscription that was asked for, by the rules of this moment and with the answers of the request. A refusal
 * leaves the link good. If the address has an account, the account stays as it is: the link proves the mailbox for
 * this subscription, and nothing else.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, ALREADY_SUBSCRIBED, SUBSCRIPTION_DECLINED,
 * REGISTRATION_CLOSED (also if the event is not public any more), EVENT_FULL
 */
export async function confirmGuestSubscription(
  ctx: Context,
  { token }: z.output<typeof guestTokenInput>,
): Promise<{ status: SubscriptionStatus }> {
  await ctx.services.limits.take(...networkKeys('token_network', ctx.client.ip));
  return await transaction(ctx, async (tx) => {
    const request = await tx.db.row<Confirmed>(sql`delete from guest_request
      where hash = ${hashToken(token)} and expires_at > now() returning event_id, email, name, answers, form_version`);
    if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
    const userId = await findOrMakeGuest(tx, request);
    await holdMembership(tx, userId, request.event_id);
    const event = await tx.em.findOne(Event, { id: request.event_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (event?.visibility !== 'public') throw new DomainError('REGISTRATION_CLOSED');
    const holder = asHolder(tx, { userId, organizationId: event.organization.id });
    const { status } = await makeSubscription(holder, event, await findOthers(holder, event.id, userId), {
      ...{ userId, answers: request.answers, formVersion: request.form_version, mailboxProven: true },
      ...{ named: false, status: undefined, notify: true },
    });
    return { status };
  });
}

/**
 * The event that a link subscribes to. Looking changes nothing, and leaves the link good.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, REGISTRATION_CLOSED if the event is not public any more
 */
export async function lookUpRequest(
  ctx: Context,
  { token }: z.output<typeof guestTokenInput>,
): Promise<PublicEventRow> {
  await ctx.services.limits.take(...networkKeys('token_network', ctx.client.ip));
  const request = await ctx.db.row<{ event_id: string; visibility: EventVisibility }>(
    sql`select r.event_id, e.visibility from guest_request r join event e on e.id = r.event_id
      where r.hash = ${hashToken(token)} and r.expires_at > now()`,
  );
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  const event = await getShownEvent(ctx, request.event_id);
  const { ACTIVE, CANCELLED } = eventStatuses;
  const isShown = event.status === ACTIVE || event.status === CANCELLED;
  if (request.visibility !== 'public' || !isShown) throw new DomainError('REGISTRATION_CLOSED');
  return event;
}

/** The account of an address, which stays as it is; a new one is a guest: without password, its address proven. */
async function findOrMakeGuest({ db }: Transaction, { email, name }: Confirmed): Promise<string> {
  const made = await db.row<{
    id: string;
  }>(sql`insert into "user" (id, email, name, verified_at, created_at, updated_at)
      values (${randomUUIDv7()}, ${email}, ${name}, now(), now(), now())
      on conflict (lower(email)) do nothing returning id`);
  if (made) return made.id;
  // held, so that no sweep takes an account away that nobody proved
  const known = await db.row<{ id: string }>(
    sql`select id from "user" where lower(email) = lower(${email}) for key share`,
  );
  if (!known) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
  return known.id;
}

/** Whoever leaves the organization meanwhile loses this subscription, too; before the lock of the event. */
async function holdMembership({ db }: Transaction, userId: string, eventId: string): Promise<void> {
  await db.row(sql`select from (${provenMemberships}) m join event e on e.organization_id = m.organization_id
      where e.id = ${eventId}::uuid and m.user_id = ${userId}::uuid for key share of m`);
}
