import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/request.ts';
import { proven } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';

const profileOf = prepared((at: { userId: string }) => {
  const organizations = proven
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.slug', 'm.role'])
    .where('m.user_id', '=', at.userId)
    .orderBy('o.name')
    .orderBy('o.id');
  return tables
    .selectFrom('user')
    .select(['id', 'email', 'name', jsonArrayFrom(organizations).as('organizations')])
    .where('id', '=', at.userId);
});
export type Profile = RowOf<typeof profileOf> & { email: string };

/** Organizations are ordered by name. @throws DomainError INVALID_TOKEN if the account was deleted concurrently */
export async function getProfile(ctx: Pick<Context, 'db'> & { viewer: Viewer }): Promise<Profile> {
  const profile = await ctx.db.row(profileOf(ctx.viewer));
  if (!profile?.email) throw new DomainError('INVALID_TOKEN');
  return { ...profile, email: profile.email };
}
