import { raw } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { ListStatement } from '../../engine/list/list.sql.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { type UserRow, userLoader } from '../user/user.ts';
import type { SubscriptionRow } from './subscription.resource.ts';

/** The input of a list of subscriptions. */
export interface SubscriptionListInput extends ListInput {
  /** Columns of the users to read with the rows; `columns` must then contain `user_id`. */
  userColumns?: readonly string[] | undefined;
}

/** Reads the page's users in the same statement; both faces still get them through the loader. */
export function joinUsers(columns: readonly string[]): ListStatement['joined'] {
  const names = furtherColumns(columns);
  if (names.length === 0) return undefined;
  return {
    columns: names.map((name) => ({ sql: `u.${name}`, name: joinedNames[name] })),
    join: raw('left join "user" u on u.id = page.user_id'),
  };
}

/** The names of joined columns in the row of the page. */
const joinedNames = { name: 'user__name', avatar_url: 'user__avatar_url', email: 'user__email' } as const;

function furtherColumns(columns: readonly string[]): (keyof typeof joinedNames)[] {
  return columns.filter((name): name is keyof typeof joinedNames => name in joinedNames);
}

/** Gives the loader the users of a page's rows. */
export function primeUsers(
  ctx: MemberContext,
  { userColumns }: Pick<SubscriptionListInput, 'userColumns'>,
): (items: readonly SubscriptionRow[]) => void {
  if (!userColumns) return () => undefined;
  const loader = userLoader(ctx, userColumns);
  const names = furtherColumns(userColumns);
  return (items) => {
    for (const item of items) {
      const row = item as unknown as Record<string, unknown>;
      const user: Record<string, unknown> = { id: item.user_id };
      for (const name of names) user[name] = row[joinedNames[name]];
      loader.fill(item.user_id, user as unknown as UserRow);
    }
  };
}
