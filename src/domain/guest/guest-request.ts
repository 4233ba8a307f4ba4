import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { isPublicEvent, type PublicEventRow } from '../public/public-event.resource.ts';
import { getShownEvent } from '../public/public-events.ts';

/** What somebody asked for whose mailbox is not proven yet, as it is stored. */
export interface GuestRequestRow {
  id: string;
  event_id: string;
  mailbox: string;
  email: string;
  name: string;
  answers: Record<string, unknown> | null;
  form_version: number | null;
}

/** What a link would subscribe to, and with what; the name and the answers can be changed before they count. */
export interface RequestedSubscription {
  event: PublicEventRow;
  name: string;
  answers: Record<string, unknown> | null;
}

/** What the link in a mail would make. @throws DomainError RATE_LIMITED, and as {@link showRequest} */
export async function lookUpRequest(ctx: Context, { token }: { token: string }): Promise<RequestedSubscription> {
  await ctx.services.limits.take(...networkKeys('token_network', ctx.client.ip));
  return await showRequest(ctx, token);
}

/**
 * The same for a caller that has counted the attempt. Looking changes nothing, and the link stays valid.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, REGISTRATION_CLOSED if the event is not public any more
 */
export async function showRequest(ctx: Context, token: string): Promise<RequestedSubscription> {
  const request = await ctx.db.row<GuestRequestRow & { visibility: string }>(
    sql`select r.event_id, r.name, r.answers, e.visibility from guest_request r join event e on e.id = r.event_id
      where r.hash = ${hashToken(token)} and r.expires_at > now()`,
  );
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  const event = await getShownEvent(ctx, request.event_id);
  const { visibility, name, answers } = request;
  if (!isPublicEvent({ visibility, status: event.status })) throw new DomainError('REGISTRATION_CLOSED');
  return { event, name, answers };
}

/**
 * Takes the request of a link, and with it the links of the same mailbox to the same event: the first that is used counts.
 * Of many at once one gets it: they wait for each other, in the order of the rows.
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
