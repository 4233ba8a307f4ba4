import sql, { raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { isManager } from '../../kernel/roles.ts';

/** The events that the viewer may see, as a condition over the alias: members do not see drafts. */
export function visibleEvents(ctx: MemberContext, alias: 't' | 'p' | 'e'): Sql {
  const organization = sql`${raw(alias)}.organization_id = ${ctx.membership.organizationId}::uuid`;
  return isManager(ctx.membership) ? organization : sql`${organization} and ${raw(alias)}.status <> 0`;
}
