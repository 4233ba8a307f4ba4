import sql, { raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { isManager } from '../../kernel/roles.ts';

/**
 * The subscriptions that the viewer may see, as a condition over the alias, within events that the viewer may see:
 * members see only their own (interface/resources.md#who-sees-what).
 */
export function visibleSubscriptions(ctx: MemberContext, alias: 't' | 'p' = 't'): Sql {
  return isManager(ctx.membership) ? raw('true') : sql`${raw(alias)}.user_id = ${ctx.viewer.userId}::uuid`;
}
