import sql, { type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import type { ComposeContext } from '../mail/mail.ts';
import type { LinkTokens } from './link-tokens.ts';

/** Days after an event until the links to its subscriptions expire. */
const linkDays = 30;

/** When the links to an event's subscriptions expire, over the alias `e` of the event. */
export const linkEnd: Sql = sql`e.date_end + make_interval(days => ${linkDays})`;

/**
 * The token of the link to a subscription, the same in every mail as long as the secret is the same. One statement
 * creates or finds its row, so that concurrent mails get the same one. Null if the link would have expired,
 * or the organization is being deleted.
 */
export async function linkToken(
  { db }: Pick<Context, 'db'>,
  tokens: LinkTokens,
  subscriptionId: string,
): Promise<string | null> {
  const nonce = makeToken();
  const link = await db.row<{ nonce: string }>(sql`insert into guest_link
      (hash, subscription_id, nonce, key_id, expires_at)
      select ${hashToken(tokens.tokenOf(nonce))}, s.id, ${nonce}, ${tokens.keyId}, ${linkEnd}
      from subscription s join event e on e.id = s.event_id join organization o on o.id = e.organization_id
      where s.id = ${subscriptionId}::uuid and ${linkEnd} > now() and o.deleted_at is null
      on conflict (subscription_id, key_id) do update set expires_at = excluded.expires_at returning nonce`);
  return link ? tokens.tokenOf(link.nonce) : null;
}

/** The URL of a page that shows a subscription to anyone who has the mail. */
export async function ownLink(ctx: ComposeContext, subscriptionId: string): Promise<string | null> {
  const token = await linkToken(ctx, ctx.services.linkTokens, subscriptionId);
  return token && `${ctx.publicUrl}/my-subscription?token=${token}`;
}
