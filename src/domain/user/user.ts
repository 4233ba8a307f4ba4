import sql, { raw } from 'sql-template-tag';
import type { Context, MemberContext } from '../context.ts';
import { rows } from '../database.ts';
import { isManager } from '../event/event.policy.ts';

/** A person as others may see one. `email` is for managers and oneself; the policy is the caller's. */
export interface UserRow {
  id: string;
  name: string;
  email: string;
  avatar_url: string | null;
}

export const userColumns = ['id', 'name', 'avatar_url', 'email'] as const satisfies (keyof UserRow)[];

/** The users of these ids, in no order; whoever asks has come to them through something that the viewer may see. */
export async function findUsers(ctx: Context, ids: readonly string[], columns: readonly string[]): Promise<UserRow[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  return rows<UserRow>(ctx.reader, sql`select ${raw(names)} from "user" t where t.id = any(${ids}::uuid[])`);
}

/**
 * The users of these ids whom the viewer may ask for by id, in no order: oneself, and for managers whoever belongs to
 * the organization or has a subscription in it.
 */
export async function findKnownUsers(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<UserRow[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const self = sql`t.id = ${ctx.viewer.userId}::uuid`;
  const organization = ctx.membership.organizationId;
  const known = sql`exists (select from membership m where m.user_id = t.id and m.organization_id = ${organization}::uuid)
    or exists (select from subscription s join event e on e.id = s.event_id
               where s.user_id = t.id and e.organization_id = ${organization}::uuid)`;
  return rows<UserRow>(
    ctx.reader,
    sql`select ${raw(names)} from "user" t
      where t.id = any(${ids}::uuid[]) and (${isManager(ctx.membership) ? sql`${self} or ${known}` : self})`,
  );
}
