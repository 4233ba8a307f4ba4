import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import { isPublicEvent } from '../event/event-address.ts';
import type { PublicEventRow } from '../public/public-event.resource.ts';
import { getEventForHolder } from '../public/public-events.ts';
import { now, tables } from '../tables/tables.ts';
import { GuestRequest } from './guest-request.table.ts';

/** What a link would make; name and answers can still be changed. */
export type RequestedSubscription = { event: PublicEventRow } & Pick<RowOf<typeof requestOf>, 'name' | 'answers'>;

/** @throws DomainError RATE_LIMITED, and as {@link showRequest} */
export async function lookUpRequest(ctx: Context, { token }: { token: string }): Promise<RequestedSubscription> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  return await showRequest(ctx, token);
}

const requestOf = prepared((at: { hash: string }) =>
  tables
    .selectFrom('guest_request as r')
    .innerJoin('event as e', 'e.id', 'r.event_id')
    .select(['r.event_id', 'r.name', 'r.answers', 'e.visibility'])
    .where('r.hash', '=', at.hash)
    .where('r.expires_at', '>', now),
);

/**
 * For a caller that has counted the attempt. The link stays valid.
 * @throws DomainError INVALID_VERIFICATION_TOKEN, REGISTRATION_CLOSED if the event is no longer public
 */
export async function showRequest(ctx: Context, token: string): Promise<RequestedSubscription> {
  const request = await ctx.db.row(requestOf({ hash: hashToken(token) }));
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  const event = await getEventForHolder(ctx, request.event_id);
  const { visibility, name, answers } = request;
  if (!isPublicEvent({ visibility, status: event.status })) throw new DomainError('REGISTRATION_CLOSED');
  return { event, name, answers };
}

const lockMailed = prepared((at: { hash: string }) =>
  tables
    .selectFrom('guest_request as r')
    .innerJoin('guest_request as mine', (join) =>
      join.onRef('mine.event_id', '=', 'r.event_id').onRef('mine.mailbox', '=', 'r.mailbox'),
    )
    .select((eb) => ['r.id', 'r.event_id', 'r.mailbox', 'r.email', 'r.name', eb('r.hash', '=', at.hash).as('mine')])
    // the others may be large
    .select((eb) => [
      eb.case().when('r.hash', '=', at.hash).then(eb.ref('r.answers')).end().as('answers'),
      'r.form_version',
    ])
    .where('mine.hash', '=', at.hash)
    .where('mine.expires_at', '>', now)
    .where('r.hash', 'is not', null)
    .orderBy('r.id')
    .forUpdate('r'),
);
export type GuestRequestRow = RowOf<typeof lockMailed>;

/**
 * Takes the request of a link, and ends the mailbox's other links for the event. Concurrent attempts lock the rows in order,
 * so that exactly one succeeds.
 * @throws DomainError INVALID_VERIFICATION_TOKEN
 */
export async function takeRequest({ db, em }: Transaction, token: string): Promise<GuestRequestRow> {
  const mailed = await db.rows(lockMailed({ hash: hashToken(token) }));
  const request = mailed.find(({ mine }) => mine);
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  await em.nativeDelete(GuestRequest, { id: { $in: mailed.map(({ id }) => id) } });
  return request;
}
