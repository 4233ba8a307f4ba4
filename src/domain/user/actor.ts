import sql, { join, raw } from 'sql-template-tag';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import { inOrganization, nameIn, selectUsers, type UserRow } from './user.ts';

/** Who acted, in histories and the audit trail; only for ids from rows that the viewer may see. One statement per page. */
export function actorLoader(ctx: Context, columns: readonly string[]): Loader<UserRow | null> {
  return rowLoader(ctx, `actor ${columns.join()}`, (ids) => findActors(withMembership(ctx), ids, columns));
}

/** Former members have a name there, too, but no address. */
async function findActors(ctx: MemberContext, ids: readonly string[], columns: readonly string[]): Promise<UserRow[]> {
  const { self, known } = inOrganization(ctx);
  const shown = [...new Set(['id', ...columns])].map((name) => {
    if (name === 'name') return sql`${nameIn(ctx.membership, 't')} as name`;
    return name === 'email' ? sql`case when ${self} or ${known} then t.email end as email` : raw(`t.${name}`);
  });
  return await selectUsers(ctx, ids, join(shown, ', '));
}
