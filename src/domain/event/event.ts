import sql, { raw } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import { rows } from '../database.ts';
import { DomainError } from '../errors.ts';
import { conditionSql } from '../list/condition.sql.ts';
import type { Condition } from '../list/condition.ts';
import { CursorScope, type ListInput, readCounts, readPages } from '../list/list.ts';
import type { Page } from '../list/page.ts';
import { shapeRow } from '../list/row.ts';
import { parseUuid } from '../uuid.ts';
import { visibleEvents } from './event.policy.ts';
import { type EventRow, eventResource } from './event.resource.ts';

/**
 * A page of the organization's events that the viewer may see.
 *
 * @throws DomainError INVALID_CURSOR
 */
export async function listEvents(ctx: MemberContext, input: ListInput): Promise<Page<EventRow>> {
  const order = input.order ?? eventResource.order;
  const scope = new CursorScope(ctx, eventResource, '', order, input.where);
  const condition = eventCondition(ctx, input.where);
  const window = scope.window(input.paging);
  const statement = { resource: eventResource, columns: input.columns, order, condition, window };
  const pages = await readPages<EventRow>(ctx, statement, () => scope);
  return pages.get('') as Page<EventRow>;
}

/** How many events the list would hold; the same condition, so the two can't differ. */
export async function countEvents(ctx: MemberContext, where: Condition): Promise<number> {
  const counts = await readCounts(ctx, { resource: eventResource, condition: eventCondition(ctx, where) });
  return counts.get('') ?? 0;
}

/** The events of these ids that the viewer may see, in no order. */
export async function findEvents(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<EventRow[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const found = await rows<Record<string, unknown>>(
    ctx.em,
    sql`select ${raw(names)} from event t where t.id = any(${ids}::uuid[]) and ${visibleEvents(ctx, 't')}`,
  );
  return found.map((each) => shapeRow<EventRow>(eventResource, each));
}

/**
 * One event.
 *
 * @throws DomainError NOT_FOUND for what is unknown, foreign or not for the viewer's eyes
 */
export async function getEvent(ctx: MemberContext, id: string, columns: readonly string[]): Promise<EventRow> {
  const uuid = parseUuid(id);
  const found = uuid ? await ctx.loaders.event(columns).load(uuid) : null;
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

function eventCondition(ctx: MemberContext, where: Condition) {
  return sql`${visibleEvents(ctx, 't')} and ${conditionSql(eventResource, where, ctx.now)}`;
}
