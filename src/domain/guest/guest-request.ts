import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { isPublicEvent, type PublicEventRow } from '../public/public-event.resource.ts';
import { getEventForHolder } from '../public/public-events.ts';

/** A stored request from a mailbox that is not proven yet. */
export interface GuestRequestRow {
  id: string;
  event_id: string;
  mailbox: string;
  email: string;
  name: string;
  answers: Record<string, unknown> | null;
  form_version: number | null;
}

/** The subscription that a link would make; the name and the answers can still be changed. */
export interface RequestedSubscription {
  event: PublicEventRow;
  name: string;
  answers: Record<string, unknown> | null;
}

/** The subscription that the link in a mail would make. @throws DomainError RATE_LIMITED, and as {@link showRequest} */
export async function lookUpRequest(ctx: Context, { token }: { token: string }): Promise<RequestedSubscription> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  return await showRequest(ctx, token);
}

/**
 * Like {@link lookUpRequest}, for a caller that has counted the attempt. Changes nothing; the link stays valid.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, REGISTRATION_CLOSED if the event is no longer public
 */
export async function showRequest(ctx: Context, token: string): Promise<RequestedSubscription> {
  const request = await ctx.db.row<GuestRequestRow & { visibility: string }>(
    sql`select r.event_id, r.name, r.answers, e.visibility from guest_request r join event e on e.id = r.event_id
      where r.hash = ${hashToken(token)} and r.expires_at > now()`,
  );
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  const event = await getEventForHolder(ctx, request.event_id);
  const { visibility, name, answers } = request;
  if (!isPublicEvent({ visibility, status: event.status })) throw new DomainError('REGISTRATION_CLOSED');
  return { event, name, answers };
}

/**
 * Takes the request of a link, and ends the other links of the same mailbox for the same event: the first one used
 * counts. Of several concurrent attempts one succeeds: they wait for each other, locking the rows in order.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN
 */
export async function takeRequest({ db }: Transaction, token: string): Promise<GuestRequestRow> {
  const hash = hashToken(token);
  const mailed = await db.rows<GuestRequestRow & { mine: boolean }>(sql`select r.id, r.event_id, r.mailbox, r.email,
        r.name, r.hash = ${hash} as mine,
        case when r.hash = ${hash} then r.answers end as answers, r.form_version
      from guest_request r join guest_request mine on mine.event_id = r.event_id and mine.mailbox = r.mailbox
      where mine.hash = ${hash} and mine.expires_at > now() and r.hash is not null
      order by r.id for update of r`);
  const request = mailed.find(({ mine }) => mine);
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  await db.rows(sql`delete from guest_request where id = any(${mailed.map(({ id }) => id)}::uuid[])`);
  return request;
}
