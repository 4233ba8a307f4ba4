import sql, { join, raw, type Sql } from 'sql-template-tag';
import { batchLoader, type Context, type Loader, rowLoader } from '../../engine/context.ts';
import { type Condition, everything } from '../../engine/list/condition.ts';
import type { Count } from '../../engine/list/count.ts';
import { names, select, shapeRow, tableSql } from '../../engine/list/list.sql.ts';
import { findOwnRows, type ListInput, type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import type { Page } from '../../engine/list/page.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/pick.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { addAvailability, eventsWithWaiting, readColumns } from '../event/event.ts';
import { type Form, findForms, formsOf } from '../event/event-form.ts';
import type { Registrable } from '../event/event-moment.ts';
import { type PublicEventRow, publicEventResource } from './public-event.resource.ts';
import { publicOrganization } from './public-scope.ts';

/** An event in a request for public data: by its id, by its slug, or by a text that may be either. */
export interface PublicEventName {
  id?: string | null;
  slug?: string | null;
}

/** A page of an organization's public events. @throws DomainError INVALID_CURSOR */
export async function listPublicEvents(ctx: Context, input: ListInput): Promise<Page<PublicEventRow>> {
  return await readPublicPage(ctx, publicEventList(ctx), input);
}

/**
 * The public events that are not over. A list with its own cursors: unlike those of a filter by the end, they are not bound
 * to an instant.
 * @throws DomainError INVALID_CURSOR
 */
export async function listUpcomingEvents(ctx: Context, input: Omit<ListInput, 'where'>): Promise<Page<PublicEventRow>> {
  const list = publicEventList(ctx);
  const upcoming: OwnList = {
    ...list,
    resource: { ...publicEventResource, name: 'coming_public_event' },
    visible: sql`${list.visible} and t.date_end >= ${ctx.now.toISOString()}::timestamptz`,
  };
  return await readPublicPage(ctx, upcoming, { ...input, where: everything });
}

async function readPublicPage(ctx: Context, list: OwnList, input: ListInput): Promise<Page<PublicEventRow>> {
  const columns = readColumns(input.columns);
  const page = await readOwnPage<FoundRow>(ctx, list, { ...input, columns });
  for (const row of page.items) addAvailability(row, ctx.now);
  return page;
}

export async function countPublicEvents(ctx: Context, where: Condition, max?: number): Promise<Count> {
  return await readOwnCount(ctx, publicEventList(ctx), where, max);
}

export function publicEventLoader(ctx: Context, columns: readonly string[]): Loader<PublicEventRow | null> {
  return rowLoader<PublicEventRow>(ctx, `public event ${columns.join()}`, async (ids) => {
    const found = await findOwnRows<FoundRow>(ctx, publicEventList(ctx), ids, readColumns(columns));
    return found.map((row) => addAvailability(row, ctx.now));
  });
}

/**
 * By its id, its slug, or a former slug that no other event has now, in this order.
 * @throws DomainError NOT_FOUND if there is none, or if only the organization may see it
 */
export async function getPublicEvent(
  ctx: Context,
  name: PublicEventName,
  columns: readonly string[],
): Promise<FoundRow> {
  const found = await findPublicEvent(ctx, name, columns);
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

export async function findPublicEvent(
  ctx: Context,
  { id, slug }: PublicEventName,
  columns: readonly string[],
): Promise<FoundRow | null> {
  const list = publicEventList(ctx);
  const uuid = parseUuid(id);
  // PostgreSQL cannot store NUL, so no slug contains it
  const known = slug?.includes('\0') ? null : slug;
  const by = (shown: string, table: string, condition: Sql) =>
    select(raw(shown), raw(table), sql`where organization_id = ${list.owner}::uuid and ${condition}`);
  const named = [
    ...(uuid ? [by('id, 1 as rank', 'event', sql`id = ${uuid}::uuid`)] : []),
    ...(known ? [by('id, 2 as rank', 'event', sql`slug = ${known}`)] : []),
    ...(known ? [by('event_id as id, 3 as rank', 'event_slug', sql`slug = ${known}`)] : []),
  ];
  if (named.length === 0) return null;
  // row by row: a join would depend on statistics, which are missing right after a large import
  const found = select(raw('*'), tableSql(list), raw('where t.id = named.id limit 1'));
  const from = sql`(${join(named, ' union all ')}) named cross join lateral (${found}) t`;
  const shown = raw(names('t', [...new Set(['id', ...readColumns(columns)])]));
  const statement = select(shown, from, sql`where ${list.visible} order by named.rank limit 1`);
  const row = await ctx.db.row(statement, { prepared: true });
  return row ? addAvailability(shapeRow<FoundRow>(publicEventResource, row), ctx.now) : null;
}

const publicForms = formsOf((organizationId) => publicCondition(organizationId, 't'));

export function publicFormLoader(ctx: Context): Loader<Form | null> {
  return batchLoader<Form | null>(ctx, 'public form', (ids) =>
    findForms(ctx.db, publicForms, { ids, organizationId: publicOrganization(ctx), version: null }),
  );
}

/** For the holder of a subscription, even if the event is no longer public. */
export async function getEventForHolder(ctx: Context, id: string): Promise<PublicEventRow> {
  const fields = Object.keys(publicEventResource.fields) as (keyof PublicEventRow)[];
  const rows = tableSql({ resource: publicEventResource, source: eventsWithWaiting });
  const statement = select(raw(names('t', readColumns(fields))), rows, sql`where t.id = ${id}::uuid`);
  const row = await ctx.db.row(statement);
  if (!row) throw new DomainError('NOT_FOUND');
  const event = addAvailability(shapeRow<FoundRow>(publicEventResource, row), ctx.now);
  return pick(event, fields);
}

export async function getPublicForm(ctx: Context, name: PublicEventName): Promise<Form> {
  const { id } = await getPublicEvent(ctx, name, []);
  const form = await publicFormLoader(ctx).load(id);
  if (!form) throw new DomainError('NOT_FOUND');
  return form;
}

type FoundRow = PublicEventRow & Partial<Registrable>;

/** Null if there is no limit, or the availability was not read. */
export function placesLeft({ capacity = null, accepted_count: accepted = 0 }: FoundRow): number | null {
  return capacity === null ? null : Math.max(0, capacity - accepted);
}

/**
 * From the primary: a replica that lags behind the revision would give a response that is cached under a newer revision than
 * its own.
 */
function publicEventList(ctx: Context): OwnList {
  return {
    resource: publicEventResource,
    owner: publicOrganization(ctx),
    source: eventsWithWaiting,
    visible: publicCondition(publicOrganization(ctx), 't'),
    from: 'write',
  };
}

/** Over the alias (reference/public-and-guests.md#public-events). */
export function publicCondition(organizationId: string, table: 't' | 'e'): Sql {
  const { ACTIVE, CANCELLED } = eventStatuses;
  const column = (name: string) => raw(`${table}.${name}`);
  return sql`${column('organization_id')} = ${organizationId}::uuid
    and ${column('visibility')} = 'public' and ${column('status')} in (${ACTIVE}, ${CANCELLED})`;
}
