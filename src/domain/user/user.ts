import sql, { raw } from 'sql-template-tag';
import type { Context } from '../context.ts';
import { rows } from '../database.ts';

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
  return rows<UserRow>(ctx.em, sql`select ${raw(names)} from "user" t where t.id = any(${ids}::uuid[])`);
}
