import { randomUUIDv7 } from 'node:crypto';
import { type NotNull, sql } from 'kysely';
import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { pick } from '../../kernel/objects.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import { inserted, now, tables } from '../tables/tables.ts';
import type { TokenPurpose } from './one-time-token.table.ts';

/** Lifetime of a token (reference/accounts.md#mailed-tokens). */
export const tokenMinutes: Record<TokenPurpose, number> = { verify_email: 24 * 60, reset_password: 60 };

/** What a sign-up asks for: a name, and an organization to join by id, or to create with a name. */
export interface Wish {
  name: string | null;
  organization_id: string | null;
  organization_name: string | null;
}

export const noWish: Wish = { name: null, organization_id: null, organization_name: null };

const replaced = ['id', 'hash', 'name', 'organization_id', 'organization_name'] as const;

const issue = prepared(
  (at: Wish & { id: string; user_id: string; purpose: TokenPurpose; hash: string; minutes: number }) =>
    tables
      .insertInto('one_time_token')
      .values({
        ...pick(at, ['user_id', 'purpose', ...replaced]),
        created_at: now,
        expires_at: sql`now() + make_interval(mins => ${at.minutes})`,
      })
      .onConflict((earlier) =>
        earlier
          .columns(['user_id', 'purpose'])
          .doUpdateSet(inserted('one_time_token', ...replaced, 'created_at', 'expires_at')),
      ),
);

/** Creates a token, which replaces the user's earlier one with this purpose. Only its hash is stored. */
export async function issueToken(
  ctx: Pick<Context, 'db'>,
  input: { userId: string; purpose: TokenPurpose; wish?: Wish | null },
): Promise<string> {
  const token = makeToken();
  const { userId, purpose, wish } = input;
  const given = {
    id: randomUUIDv7(),
    user_id: userId,
    purpose,
    hash: hashToken(token),
    minutes: tokenMinutes[purpose],
  };
  await ctx.db.row(issue({ ...given, ...(wish ?? noWish) }));
  return token;
}

const consume = prepared((at: { hash: string; purpose: TokenPurpose }) =>
  tables
    .deleteFrom('one_time_token')
    .where(({ and }) => and({ hash: at.hash, purpose: at.purpose }))
    .where('expires_at', '>', now)
    .returning(['user_id', 'name', 'organization_id', 'organization_name']),
);
export type UsedToken = RowOf<typeof consume>;

/** Consumes a token in one statement: of several concurrent attempts exactly one succeeds. Undefined if it is not valid. */
export async function useToken(
  ctx: Pick<Context, 'db'>,
  token: string,
  purpose: TokenPurpose,
): Promise<UsedToken | undefined> {
  return await ctx.db.row(consume({ hash: hashToken(token), purpose }));
}

const ownerOf = prepared((at: { hash: string; purpose: TokenPurpose }) =>
  tables
    .selectFrom('one_time_token as t')
    .innerJoin('user as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.email'])
    .where(({ and }) => and({ 't.hash': at.hash, 't.purpose': at.purpose }))
    .where('t.expires_at', '>', now)
    .$narrowType<{ email: NotNull }>(),
);

export async function findTokenOwner(
  ctx: Pick<Context, 'db'>,
  token: string,
  purpose: TokenPurpose,
): Promise<{ id: string; email: string } | undefined> {
  return await ctx.db.row(ownerOf({ hash: hashToken(token), purpose }));
}

const cancel = prepared((at: { userId: string; purpose: TokenPurpose }) =>
  tables.deleteFrom('one_time_token').where('user_id', '=', at.userId).where('purpose', '=', at.purpose),
);

export async function cancelToken(ctx: Pick<Context, 'db'>, userId: string, purpose: TokenPurpose): Promise<void> {
  await ctx.db.row(cancel({ userId, purpose }));
}
