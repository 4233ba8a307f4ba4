import type { Context, MemberContext } from '../../engine/context.ts';
import { isManager } from '../../kernel/roles.ts';
import { type UserRow, userColumns } from './user.ts';

/** Whether the viewer may see the addresses of everyone in their organization: managers may. */
function maySeeAddresses({ membership }: Pick<Context, 'membership'>): boolean {
  return membership !== null && isManager(membership);
}

/** Whether the viewer may see a user's address; everyone may see their own. */
export function canSeeEmail(ctx: Context, userId: string): boolean {
  return ctx.viewer?.userId === userId || maySeeAddresses(ctx);
}

/**
 * The columns of users that are read with each row of a list. They are the same for all rows, so members do not get even
 * their own address there (interface/resources.md#who-sees-what).
 */
export function relatedUserColumns(ctx: MemberContext): readonly (keyof UserRow)[] {
  return maySeeAddresses(ctx) ? userColumns : userColumns.filter((name) => name !== 'email');
}
