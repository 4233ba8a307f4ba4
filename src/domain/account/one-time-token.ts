import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Context } from '../context.ts';
import { row } from '../database.ts';
import type { TokenPurpose } from './one-time-token.entity.ts';

/** Minutes for which a token is good (decisions §3). */
export const tokenMinutes: Record<TokenPurpose, number> = { verify_email: 24 * 60, reset_password: 60 };

/** Whom a token that was used belongs to, and what it joins. */
export interface UsedToken {
  user_id: string;
  organization_id: string | null;
}

/** Makes a token for a user, which cancels an older one of the same purpose. The token itself is stored nowhere. */
export async function issueToken(
  ctx: Pick<Context, 'em'>,
  input: { userId: string; purpose: TokenPurpose; organizationId?: string | null },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await row(
    ctx.em,
    sql`insert into one_time_token (id, user_id, purpose, hash, organization_id, created_at, expires_at)
        values (${randomUUIDv7()}, ${input.userId}, ${input.purpose}, ${hashOf(token)}, ${input.organizationId ?? null},
          now(), now() + make_interval(mins => ${tokenMinutes[input.purpose]}))
        on conflict (user_id, purpose) do update set id = excluded.id, hash = excluded.hash,
          organization_id = excluded.organization_id, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );
  return token;
}

/** Uses a token up, in one statement: of many at once exactly one gets it. Undefined where there is none to use. */
export async function useToken(
  ctx: Pick<Context, 'em'>,
  token: string,
  purpose: TokenPurpose,
): Promise<UsedToken | undefined> {
  return await row<UsedToken>(
    ctx.em,
    sql`delete from one_time_token where hash = ${hashOf(token)} and purpose = ${purpose} and expires_at > now()
        returning user_id, organization_id`,
  );
}

/** The address of a token's user, while the token can be used; it stays usable. */
export async function findTokenEmail(
  ctx: Pick<Context, 'em'>,
  token: string,
  purpose: TokenPurpose,
): Promise<string | undefined> {
  const found = await row<{ email: string }>(
    ctx.em,
    sql`select u.email from one_time_token t join "user" u on u.id = t.user_id
        where t.hash = ${hashOf(token)} and t.purpose = ${purpose} and t.expires_at > now()`,
  );
  return found?.email;
}

/** Makes what was mailed to a user useless. */
export async function cancelToken(ctx: Pick<Context, 'em'>, userId: string, purpose: TokenPurpose): Promise<void> {
  await row(ctx.em, sql`delete from one_time_token where user_id = ${userId} and purpose = ${purpose}`);
}

/** A token has 256 random bits, which nobody can guess: a plain hash keeps it, and can be looked up. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
