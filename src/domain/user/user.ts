import { type RawBuilder, sql } from 'kysely';
import { shaped } from '#postgres-access';
import {
  type Context,
  inOrder,
  type Loader,
  type MemberContext,
  rowLoader,
  withMembership,
} from '../../engine/context.ts';
import type { MemberScope } from '../../engine/list/resource.ts';
import { PrimedLoader } from '../../engine/primed-loader.ts';
import { isManager } from '../../kernel/request.ts';
import { provenMemberships } from '../access/memberships.ts';
import { anyOf, tables } from '../tables/tables.ts';
import type { User } from './user.entity.ts';

/** As others may see a user. `email` is only for managers and the user; callers apply the policy. */
export interface UserRow extends Pick<User, 'id' | 'email' | 'avatar_url'> {
  /** Null for a guest: see {@link nameIn}. */
  name: string | null;
}

export const userColumns = ['id', 'name', 'avatar_url', 'email'] as const satisfies (keyof UserRow)[];

/** The values of a statement on users. */
export interface UserValues {
  ids: readonly string[];
  userId: string;
  organizationId: string;
}

/**
 * Users with the name that the organization of the request sees.
 * @param kind names what `how` depends on: which of the users are read, and how their address is shown
 */
export async function selectUsers(
  { db, viewer, membership }: Context,
  kind: string,
  ids: readonly string[],
  columns: readonly string[],
  how: (at: UserValues) => { condition?: RawBuilder<boolean>; email?: RawBuilder<unknown> },
): Promise<UserRow[]> {
  const names = [...new Set(['id', ...columns])];
  const values = { ids, userId: viewer?.userId, organizationId: membership?.organizationId } as UserValues;
  const key = `users ${kind} ${names} ${membership !== null}`;
  const statement = shaped(key, values, (at) => {
    const { condition = sql.lit(true), email } = how(at);
    const shown = names.map((name) => {
      if (name === 'name' && membership) return nameIn(at, 't').as('name');
      return (name === 'email' && email ? email : sql.ref(`t.${name}`)).as(name);
    });
    const users = tables.selectFrom('user as t').select(shown).where('t.id', '=', anyOf(at.ids)).where(condition);
    return users.$castTo<UserRow>();
  });
  return await db.rows(statement);
}

/**
 * The name of an account as an organization sees it: null for a mere guest, whose account may belong to a stranger. The name
 * that a guest gave is `attendee_name` of the subscription.
 * @param row the alias of one of the user's subscriptions in the organization, if the statement reads one: unless it is a
 * guest's, which is rare, nothing else is read
 */
export function nameIn(
  { organizationId }: Pick<MemberScope['membership'], 'organizationId'>,
  alias: 't' | 'u',
  row?: 'page' | 't',
): RawBuilder<string | null> {
  const isKnown = sql`is_known_user(${organizationId}::uuid, ${sql.ref(`${alias}.id`)})`;
  const isShown = row ? sql`${sql.ref(`${row}.guest_name`)} is null or ${isKnown}` : isKnown;
  return sql`case when ${isShown} then ${sql.ref(`${alias}.name`)} end`;
}

/** Conditions on the users `t`. */
export function inOrganization({ userId, organizationId }: UserValues) {
  const self = sql<boolean>`t.id = ${userId}::uuid`;
  const known = sql<boolean>`exists (
      select from ${provenMemberships} m where m.user_id = t.id and m.organization_id = ${organizationId}::uuid
    ) or exists (select from subscription s where s.user_id = t.id and s.organization_id = ${organizationId}::uuid)
    or exists (select from api_key k where k.id = t.id and k.organization_id = ${organizationId}::uuid)`;
  return { self, known };
}

/** Only for ids from rows that the viewer may see; lists fill it with the users that they read. */
export function userLoader(ctx: Context, columns: readonly string[]): PrimedLoader<UserRow> {
  const anyone = () => ({});
  const find = (ids: readonly string[]) => inOrder(ids, selectUsers(ctx, 'of rows', ids, columns, anyone));
  return ctx.loaders.once(`user ${columns.join()}`, () => new PrimedLoader<UserRow>(find));
}

/**
 * By an id that the client sent; null for those that the viewer may not read: all but the viewer and, for managers, everyone who
 * belongs to the organization or has a subscription in it, and its API keys, ended ones too.
 */
export function knownUserLoader(ctx: Context, columns: readonly string[]): Loader<UserRow | null> {
  return rowLoader(ctx, `known user ${columns.join()}`, (ids) => {
    const isManaged = isManager(withMembership(ctx).membership);
    return selectUsers(ctx, isManaged ? 'known' : 'self', ids, columns, (at) => {
      const { self, known } = inOrganization(at);
      return { condition: isManaged ? sql<boolean>`(${self} or ${known})` : self };
    });
  });
}

function maySeeAddresses({ membership }: Pick<Context, 'membership'>): boolean {
  return membership !== null && isManager(membership);
}

export function canSeeEmail(ctx: Context, userId: string): boolean {
  return ctx.viewer?.userId === userId || maySeeAddresses(ctx);
}

/**
 * For users read with each row of a list. The same for all rows, so members do not even get their own address there
 * (reference/conventions.md#who-sees-what).
 */
export function relatedUserColumns(ctx: MemberContext): readonly (keyof UserRow)[] {
  return maySeeAddresses(ctx) ? userColumns : userColumns.filter((name) => name !== 'email');
}

export function relatedUserLoader(ctx: MemberContext): PrimedLoader<UserRow> {
  return userLoader(ctx, relatedUserColumns(ctx));
}
