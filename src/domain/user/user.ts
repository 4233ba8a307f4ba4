import sql, { join, raw, type Sql } from 'sql-template-tag';
import {
  type Context,
  inOrder,
  type Loader,
  type MemberContext,
  rowLoader,
  withMembership,
} from '../../engine/context.ts';
import { select } from '../../engine/list/list.sql.ts';
import { PrimedLoader } from '../../engine/primed-loader.ts';
import { isManager, type Membership } from '../../kernel/request.ts';
import { provenMemberships } from '../access/memberships.ts';
import type { User } from './user.entity.ts';

/** As others may see a user. `email` is only for managers and the user; callers apply the policy. */
export interface UserRow extends Pick<User, 'id' | 'email' | 'avatar_url'> {
  /** Null for a guest: see {@link nameIn}. */
  name: string | null;
}

export const userColumns = ['id', 'name', 'avatar_url', 'email'] as const satisfies (keyof UserRow)[];

/** In no particular order; only for ids from rows that the viewer may see. */
export async function findUsers(ctx: Context, ids: readonly string[], columns: readonly string[]): Promise<UserRow[]> {
  return await selectUsers(ctx, ids, shownColumns(ctx, columns));
}

/**
 * Those that the viewer may read by id, in no particular order: the viewer and, for managers, everyone who belongs to the
 * organization or has a subscription in it, and its API keys, ended ones too.
 */
export async function findKnownUsers(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<UserRow[]> {
  const { self, known } = inOrganization(ctx);
  return await selectUsers(
    ctx,
    ids,
    shownColumns(ctx, columns),
    isManager(ctx.membership) ? sql`${self} or ${known}` : self,
  );
}

export async function selectUsers(
  { db }: Context,
  ids: readonly string[],
  shown: Sql,
  condition: Sql = sql`true`,
): Promise<UserRow[]> {
  return await db.rows(
    select<UserRow>(shown, raw('"user" t'), sql`where t.id = any(${ids}::uuid[]) and (${condition})`),
  );
}

/** With the name that the organization of the request sees. */
function shownColumns({ membership }: Context, columns: readonly string[]): Sql {
  const shown = [...new Set(['id', ...columns])].map((name) =>
    name === 'name' && membership ? sql`${nameIn(membership, 't')} as name` : raw(`t.${name}`),
  );
  return join(shown, ', ');
}

/**
 * The name of an account as an organization sees it: null for a mere guest, whose account may belong to a stranger. The name
 * that a guest gave is `attendee_name` of the subscription.
 * @param row the alias of one of the user's subscriptions in the organization, if the statement reads one: unless it is a
 * guest's, which is rare, nothing else is read
 */
export function nameIn({ organizationId }: Membership, alias: 't' | 'u', row?: 'page' | 't'): Sql {
  const isKnown = sql`is_known_user(${organizationId}::uuid, ${raw(alias)}.id)`;
  return sql`case when ${row ? sql`${raw(row)}.guest_name is null or ${isKnown}` : isKnown} then ${raw(alias)}.name end`;
}

export function inOrganization(ctx: MemberContext): { self: Sql; known: Sql } {
  const self = sql`t.id = ${ctx.viewer.userId}::uuid`;
  const organization = ctx.membership.organizationId;
  const member = sql`exists (select from (${provenMemberships}) m where m.user_id = t.id and m.organization_id = ${organization}::uuid)`;
  const known = sql`${member}
    or exists (select from subscription s where s.user_id = t.id and s.organization_id = ${organization}::uuid)
    or exists (select from api_key k where k.id = t.id and k.organization_id = ${organization}::uuid)`;
  return { self, known };
}

/** Only for ids from rows that the viewer may see; lists fill it with the users that they read. */
export function userLoader(ctx: Context, columns: readonly string[]): PrimedLoader<UserRow> {
  const find = (ids: readonly string[]) => inOrder(ids, findUsers(ctx, ids, columns));
  return ctx.loaders.once(`user ${columns.join()}`, () => new PrimedLoader<UserRow>(find));
}

/** By an id that the client sent; null for those that the viewer may not see. */
export function knownUserLoader(ctx: Context, columns: readonly string[]): Loader<UserRow | null> {
  return rowLoader(ctx, `known user ${columns.join()}`, (ids) => findKnownUsers(withMembership(ctx), ids, columns));
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
