import type { Context, MemberContext } from '../../engine/context.ts';
import { isManager } from '../../kernel/roles.ts';
import { type UserRow, userColumns } from './user.ts';

/** Whether the viewer may see the addresses of everyone in their organization: managers may. */
function seesAddresses({ membership }: Pick<Context, 'membership'>): boolean {
  return membership !== null && isManager(membership);
}

/** Whether the viewer may see a user's address; everybody sees their own. */
export function canSeeEmail(ctx: Context, userId: string): boolean {
  return ctx.viewer?.userId === userId || seesAddresses(ctx);
}

/**
 * The columns of users that are shown with each row of a list: the same for all of its rows, so that members do not get
 * their own address there either (interface/resources.md#who-sees-what).
 */
export function relatedUserColumns(ctx: MemberContext): readonly (keyof UserRow)[] {
  return seesAddresses(ctx) ? userColumns : userColumns.filter((name) => name !== 'email');
}
