import { type RawBuilder, sql } from 'kysely';
import { parseUuid } from '#input-values';
import { type Context, type Loader, type MemberContext, rowLoader, withMembership } from '../../engine/context.ts';
import type { Condition } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import { findOwnRows, type ListInput, type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import type { NestedPage, Page } from '../../engine/list/page.ts';
import type { ListDefinition, MemberScope } from '../../engine/list/resource.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import { isManager } from '../../kernel/request.ts';
import { tables } from '../tables/tables.ts';
import type { Event } from './event.entity.ts';
import { type WrittenEvent, writtenNames } from './event.input.ts';
import { type ComputedFields, type EventRow, eventColumns, eventResource } from './event.resource.ts';
import { type Addressed, addressColumns, eventUrl } from './event-address.ts';
import { availabilityColumns, availabilityOf, placesLeft, type Registrable } from './event-moment.ts';
import { type EventName, findNamed } from './event-name.ts';

/** A page of the organization's events that the viewer may see. @throws DomainError INVALID_CURSOR */
export async function listEvents(ctx: MemberContext, input: ListInput): Promise<Page<EventRow>> {
  const { columns } = input;
  const page = await readOwnPage<EventRow>(ctx, eventList(ctx, columns), { ...input, columns: readColumns(columns) });
  computeAll(ctx, page.items, columns);
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
  computeAll(ctx, found, columns);
  return found;
}

/** @throws DomainError NOT_FOUND if it is unknown or not visible to the viewer */
export async function getEvent(ctx: MemberContext, id: string, columns: readonly string[]): Promise<EventRow> {
  const uuid = parseUuid(id);
  const row = uuid ? await eventLoader(ctx, columns).load(uuid) : null;
  if (!row) throw new DomainError('NOT_FOUND');
  return row;
}

/** By id, slug or former slug; null if there is none that the viewer may see. */
export async function findEvent(
  ctx: MemberContext,
  name: EventName,
  columns: readonly string[],
): Promise<EventRow | null> {
  const row = await findNamed<EventRow>(ctx, eventList(ctx, columns), name, readColumns(columns));
  if (row) computeAll(ctx, [row], columns);
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
  { membership }: Pick<MemberScope, 'membership'>,
  alias: 't' | 'p' | 'e',
): RawBuilder<boolean> {
  const organization = sql<boolean>`${sql.ref(`${alias}.organization_id`)} = ${membership.organizationId}::uuid`;
  return isManager(membership) ? organization : sql`${organization} and ${sql.ref(`${alias}.status`)} <> 0`;
}

const events: ListDefinition = { resource: eventResource, visible: (at: MemberScope) => visibleEvents(at, 't') };
const eventsForComputed: ListDefinition = { ...events, source: () => eventsWithRelated };

/** @param columns the requested ones, which may need others */
export function eventList(ctx: MemberContext, columns: readonly string[]): OwnList {
  const needsRelated = columns.some((name) => name === 'availability' || name === 'url');
  return { list: needsRelated ? eventsForComputed : events, owner: ctx.membership.organizationId };
}

/** For a subscription of the viewer; managers can subscribe even after the end. */
export function computeAll(ctx: MemberContext, rows: readonly EventRow[], columns: readonly string[]): void {
  const afterEnd = isManager(ctx.membership);
  for (const row of rows) compute(ctx, row, columns, { afterEnd });
}

export function eventLoader(
  ctx: Context,
  columns: readonly string[],
  nested?: NestedPage | null,
): Loader<EventRow | null> {
  const key = `event ${columns.join()} ${nested?.key ?? ''}`;
  return rowLoader(ctx, key, (ids) => findEvents(withMembership(ctx), ids, columns, nested));
}

/** The columns that the computed fields depend on. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  availability: availabilityColumns,
  places_left: ['capacity', 'accepted_count'],
  url: addressColumns,
};

/** Replaces the computed fields by the columns that they depend on. */
export function readColumns(columns: readonly string[]): string[] {
  return [...new Set(columns.flatMap((name) => dependencies[name] ?? [name]))];
}

/** Sets the computed fields among the columns, of which {@link readColumns} were read; `options` as of {@link availabilityOf}. */
export function compute<Row extends ComputedFields>(
  { now, services }: Pick<Context, 'now' | 'services'>,
  row: Row,
  columns: readonly string[],
  options = {},
): Row {
  const read = row as Row & Registrable & Addressed;
  if (columns.includes('availability')) row.availability = availabilityOf(read, now, options);
  if (columns.includes('places_left')) row.places_left = placesLeft(read);
  if (columns.includes('url')) row.url = eventUrl(services.settings.publicUrl, read);
  return row;
}

/** With what computed fields depend on. Not `exists`: PostgreSQL may then hash the waiting lists of all events. */
export const eventsWithRelated = tables
  .selectFrom('event as e')
  .selectAll('e')
  .select(({ fn, lit, selectFrom }) => {
    const waiting = selectFrom('subscription as s').select(lit(true).as('waits')).whereRef('s.event_id', '=', 'e.id');
    return [
      fn.coalesce(waiting.where('s.status', '=', sql.lit('waitlisted')).limit(lit(1)), lit(false)).as('somebody_waits'),
      selectFrom('organization as o')
        .select('o.slug')
        .whereRef('o.id', '=', 'e.organization_id')
        .as('organization_slug'),
    ];
  });
