import type { Context } from '../context.ts';
import { isManager } from '../event/event.policy.ts';

/** Whose address the viewer may read: managers everyone's in their organization, others their own. */
export function canSeeEmail(ctx: Context, userId: string): boolean {
  return ctx.viewer?.userId === userId || (ctx.membership !== null && isManager(ctx.membership));
}
