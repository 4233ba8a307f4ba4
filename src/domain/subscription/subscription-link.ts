import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import type { ComposeContext } from '../mail/mail.ts';
import { inserted, now, tables } from '../tables/tables.ts';
import type { LinkTokens } from './link-tokens.ts';

/** Days after the event. */
const linkDays = 30;

export const linkEnd = sql<string>`e.date_end + make_interval(days => ${sql.lit(linkDays)})`;

const insertLink = prepared((at: { hash: string; subscriptionId: string; nonce: string; keyId: string }) =>
  tables
    .insertInto('guest_link')
    .columns(['hash', 'subscription_id', 'nonce', 'key_id', 'expires_at'])
    .expression(({ selectFrom, val }) =>
      selectFrom('subscription as s')
        .innerJoin('event as e', 'e.id', 's.event_id')
        .innerJoin('organization as o', 'o.id', 'e.organization_id')
        .select([val(at.hash).as('hash'), 's.id', val(at.nonce).as('nonce'), val(at.keyId).as('key_id')])
        .select(linkEnd.as('ends'))
        .where('s.id', '=', at.subscriptionId)
        .where(linkEnd, '>', now)
        .where('o.deleted_at', 'is', null),
    )
    .onConflict((same) => same.columns(['subscription_id', 'key_id']).doUpdateSet(inserted('guest_link', 'expires_at')))
    .returning('nonce'),
);

/**
 * The token of the link to a subscription: the same in every mail, as long as the secret is the same, since one statement creates
 * or finds its row. Null if the link would have expired, or the organization is being deleted.
 */
export async function linkToken(
  { db }: Pick<Context, 'db'>,
  tokens: LinkTokens,
  subscriptionId: string,
): Promise<string | null> {
  const nonce = makeToken();
  const hash = hashToken(tokens.tokenOf(nonce));
  const link = await db.row(insertLink({ hash, subscriptionId, nonce, keyId: tokens.keyId }));
  return link ? tokens.tokenOf(link.nonce) : null;
}

/** The page shows the subscription to anyone who has the mail. */
export async function ownLink(ctx: ComposeContext, subscriptionId: string): Promise<string | null> {
  const token = await linkToken(ctx, ctx.services.linkTokens, subscriptionId);
  return token && `${ctx.publicUrl}/my-subscription?token=${token}`;
}
