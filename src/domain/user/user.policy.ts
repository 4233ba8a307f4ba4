import type { Context } from '../../engine/context.ts';
import { isManager } from '../../kernel/roles.ts';

/** Whether the viewer may see a user's address: managers everyone's in their organization, others only their own. */
export function canSeeEmail(ctx: Context, userId: string): boolean {
  return ctx.viewer?.userId === userId || (ctx.membership !== null && isManager(ctx.membership));
}
