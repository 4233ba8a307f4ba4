import type { MembershipRow } from '../../domain/organization/membership.resource.ts';
import { relatedUserColumns, userLoader } from '../../domain/user/user.ts';
import type { MemberContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { presentRows } from '../server/list.routes.ts';

/** The columns that the included relations need. */
export function memberRelationColumns(include: readonly string[]): string[] {
  return include.includes('user') ? ['user_id'] : [];
}

/** Presents members, with their users if included: one more statement, regardless of the page size. */
export async function presentMembers(
  ctx: MemberContext,
  rows: readonly MembershipRow[],
  fields: readonly string[],
  include: readonly string[],
): Promise<object[]> {
  if (!include.includes('user')) return presentRows(rows, fields);
  const userFields = relatedUserColumns(ctx);
  const users = userLoader(ctx, userFields);
  return Promise.all(
    rows.map(async (row) => {
      const user = await users.load(row.user_id);
      if (!user) throw new DomainError('NOT_FOUND');
      return { ...pick(row, fields), user: pick(user, userFields) };
    }),
  );
}
