import sql, { raw } from 'sql-template-tag';
import type { Context } from '../context.ts';
import { rows } from '../database.ts';
import { isoTimestamp } from '../timestamp.ts';
import type { OrganizationRole } from './membership.entity.ts';
import type { SignupPolicy } from './organization.entity.ts';

/** An organization as its members read it; the timestamp is ISO 8601 (decisions §1). */
export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  signup: SignupPolicy;
  created_at: string;
}

/** What the viewer is in one organization. */
export interface MembershipRow {
  id: string;
  organization_id: string;
  user_id: string;
  role: OrganizationRole;
}

/** The organizations of these ids that the viewer belongs to, in no order. */
export async function findOwnOrganizations(
  ctx: Context,
  ids: readonly string[],
  columns: readonly string[],
): Promise<OrganizationRow[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `o.${name}`).join(', ');
  const found = await rows<OrganizationRow>(
    ctx.em,
    sql`select ${raw(names)} from organization o
      where o.id = any(${ids}::uuid[]) and exists (
        select from membership m where m.organization_id = o.id and m.user_id = ${ctx.viewer?.userId}::uuid)`,
  );
  for (const row of found) if (row.created_at) row.created_at = isoTimestamp(row.created_at);
  return found;
}

/** The viewer's own memberships of these ids, in no order. */
export async function findOwnMemberships(ctx: Context, ids: readonly string[]): Promise<MembershipRow[]> {
  return rows(ctx.em, sql`${ownMemberships(ctx)} and m.id = any(${ids}::uuid[])`);
}

/** All of the viewer's own memberships, oldest first. */
export async function listOwnMemberships(ctx: Context): Promise<MembershipRow[]> {
  return rows(ctx.em, sql`${ownMemberships(ctx)} order by m.created_at, m.id`);
}

function ownMemberships(ctx: Context) {
  return sql`select m.id, m.organization_id, m.user_id, m.role from membership m
    where m.user_id = ${ctx.viewer?.userId}::uuid`;
}
