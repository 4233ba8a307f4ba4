import { sql } from 'kysely';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import { inOrganization, selectUsers, type UserRow } from './user.ts';

/** Who acted, in histories and the audit trail; only for ids from rows that the viewer may see. One statement per page. */
export function actorLoader(ctx: Context, columns: readonly string[]): Loader<UserRow | null> {
  return rowLoader(ctx, `actor ${columns.join()}`, (ids) => findActors(withMembership(ctx), ids, columns));
}

/** Former members have a name there, too, but no address. */
async function findActors(ctx: MemberContext, ids: readonly string[], columns: readonly string[]): Promise<UserRow[]> {
  return await selectUsers(ctx, 'actors', ids, columns, (at) => {
    const { self, known } = inOrganization(at);
    return { email: sql`case when ${self} or ${known} then t.email end` };
  });
}
