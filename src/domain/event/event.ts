import { sql } from 'kysely';
import text, { raw, type Sql } from 'sql-template-tag';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import type { NestedPage } from '../../engine/list/list.sql.ts';
import { findOwnRows, type ListInput, type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import { textOf } from '../../engine/statement.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { isManager, type Membership } from '../../kernel/request.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { tables } from '../tables/tables.ts';
import type { Event } from './event.entity.ts';
import { type WrittenEvent, writtenNames } from './event.input.ts';
import { type EventRow, eventColumns, eventResource } from './event.resource.ts';
import { availabilityColumns, availabilityOf, type Registrable, type WithAvailability } from './event-moment.ts';

/** A page of the organization's events that the viewer may see. @throws DomainError INVALID_CURSOR */
export async function listEvents(ctx: MemberContext, input: ListInput): Promise<Page<EventRow>> {
  const { columns } = input;
  const page = await readOwnPage<EventRow>(ctx, eventList(ctx, columns), { ...input, columns: readColumns(columns) });
  setAvailability(ctx, page.items);
  return page;
}

export async function countEvents(ctx: MemberContext, where: Condition, max?: number): Promise<Count> {
  return readOwnCount(ctx, eventList(ctx, []), where, max);
}

/**
 * The events with these ids that the viewer may see, in no particular order.
 * @param nested the page of another list to read with each event
 */
export async function findEvents(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
  nested?: NestedPage | null,
): Promise<EventRow[]> {
  const found = await findOwnRows<EventRow>(ctx, eventList(ctx, columns), ids, readColumns(columns), nested);
  setAvailability(ctx, found);
  return found;
}

/** @throws DomainError NOT_FOUND if it is unknown or not visible to the viewer */
export async function getEvent(ctx: MemberContext, id: string, columns: readonly string[]): Promise<EventRow> {
  const uuid = parseUuid(id);
  const row = uuid ? await eventLoader(ctx, columns).load(uuid) : null;
  if (!row) throw new DomainError('NOT_FOUND');
  return row;
}

/** An event that was just written, as both APIs return it. */
export async function eventRow(ctx: MemberContext, id: string): Promise<EventRow> {
  const [row] = await findEvents(ctx, [id], eventColumns);
  if (!row) throw new Error(`the event ${id} was written but cannot be read`);
  return row;
}

export function writtenFields(event: Event): WrittenEvent {
  return pick(event, writtenNames);
}

/** A condition over the alias: members do not see drafts. */
export function visibleEvents(
  { membership }: { membership: Pick<Membership, 'organizationId' | 'role'> },
  alias: 't' | 'p' | 'e',
): Sql {
  const organization = text`${raw(alias)}.organization_id = ${membership.organizationId}::uuid`;
  return isManager(membership) ? organization : text`${organization} and ${raw(alias)}.status <> 0`;
}

/** @param columns the requested ones, which may need others */
export function eventList(ctx: MemberContext, columns: readonly string[]): OwnList {
  return {
    ...{ resource: eventResource, owner: ctx.membership.organizationId, visible: visibleEvents(ctx, 't') },
    ...(columns.includes('availability') ? { source: eventsWithWaiting } : {}),
  };
}

/** For a subscription of the viewer; managers can subscribe even after the end. */
export function setAvailability(ctx: MemberContext, rows: readonly EventRow[]): void {
  const afterEnd = isManager(ctx.membership);
  for (const row of rows) addAvailability(row, ctx.now, { afterEnd });
}

export function eventLoader(
  ctx: Context,
  columns: readonly string[],
  nested?: NestedPage | null,
): Loader<EventRow | null> {
  const key = `event ${columns.join()} ${nested?.key ?? ''}`;
  return rowLoader(ctx, key, (ids) => findEvents(withMembership(ctx), ids, columns, nested));
}

/** Replaces the availability by the columns that it depends on. */
export function readColumns(columns: readonly string[]): string[] {
  if (!columns.includes('availability')) return [...columns];
  return [...new Set([...columns.filter((name) => name !== 'availability'), ...availabilityColumns])];
}

/** Sets the availability if its columns were read; `options` as of {@link availabilityOf}. */
export function addAvailability<Row extends WithAvailability>(row: Row, now: Date, options = {}): Row {
  if (row.somebody_waits !== undefined) row.availability = availabilityOf(row as Row & Registrable, now, options);
  return row;
}

/** With what the availability depends on. Not `exists`: PostgreSQL may then hash the waiting lists of all events. */
export const eventsWithWaiting: Sql = textOf(
  tables
    .selectFrom('event as e')
    .selectAll('e')
    .select(({ fn, lit, selectFrom }) => {
      const waiting = selectFrom('subscription as s').select(lit(true).as('waits')).whereRef('s.event_id', '=', 'e.id');
      return fn
        .coalesce(waiting.where('s.status', '=', sql.lit('waitlisted')).limit(lit(1)), lit(false))
        .as('somebody_waits');
    }),
);
