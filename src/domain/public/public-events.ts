import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import { batchLoader, type Context, type Loader, rowLoader } from '../../engine/context.ts';
import { type Condition, everything } from '../../engine/list/condition.ts';
import { findOwnRows, type ListInput, type OwnList, readOwnCount, readOwnPage } from '../../engine/list/list.ts';
import { type Page, shapeRow } from '../../engine/list/page.ts';
import type { ListDefinition } from '../../engine/list/resource.ts';
import { DomainError } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import { eventStatuses } from '../event/event.entity.ts';
import { compute, eventsWithRelated, readColumns } from '../event/event.ts';
import { type Form, findForms, formsOf } from '../event/event-form.ts';
import { type EventName, findNamed } from '../event/event-name.ts';
import { type PublicEventRow, publicEventResource } from './public-event.resource.ts';
import { publicOrganization } from './public-scope.ts';

/**
 * The public events that are not over. A list with its own cursors: unlike those of a filter by the end, they are not bound
 * to an instant.
 * @throws DomainError INVALID_CURSOR
 */
export async function listUpcomingEvents(ctx: Context, input: ListInput): Promise<Page<PublicEventRow>> {
  return await readPublicPage(ctx, upcomingList(ctx), input);
}

/** Stops counting at `max`. */
export async function countUpcomingEvents(ctx: Context, max: number): Promise<number> {
  return (await readOwnCount(ctx, upcomingList(ctx), everything, max)).value;
}

function upcomingList(ctx: Context): OwnList {
  return { list: upcomingEvents, owner: publicOrganization(ctx) };
}

async function readPublicPage(ctx: Context, own: OwnList, input: ListInput): Promise<Page<PublicEventRow>> {
  const { columns } = input;
  const page = await readOwnPage<PublicEventRow>(ctx, own, { ...input, columns: readColumns(columns) });
  for (const row of page.items) compute(ctx, row, columns);
  return page;
}

export function publicEventLoader(ctx: Context, columns: readonly string[]): Loader<PublicEventRow | null> {
  return rowLoader<PublicEventRow>(ctx, `public event ${columns.join()}`, async (ids) => {
    const found = await findOwnRows<PublicEventRow>(ctx, publicEventList(ctx), ids, readColumns(columns));
    return found.map((row) => compute(ctx, row, columns));
  });
}

/**
 * By its id, its slug, or a former slug that no other event has now, in this order.
 * @throws DomainError NOT_FOUND if there is none, or if only the organization may see it
 */
export async function getPublicEvent(
  ctx: Context,
  name: EventName,
  columns: readonly string[],
): Promise<PublicEventRow> {
  const found = await findPublicEvent(ctx, name, columns);
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

export async function findPublicEvent(
  ctx: Context,
  name: EventName,
  columns: readonly string[],
): Promise<PublicEventRow | null> {
  const row = await findNamed<PublicEventRow>(ctx, publicEventList(ctx), name, readColumns(columns));
  return row && compute(ctx, row, columns);
}

/** The public events of an organization. REST gets one by its id, its slug or a former slug. */
export const publicEvents = {
  access: 'public',
  resource: publicEventResource,
  list: (ctx: Context, input: ListInput) => readPublicPage(ctx, publicEventList(ctx), input),
  count: (ctx: Context, where: Condition, max?: number) => readOwnCount(ctx, publicEventList(ctx), where, max),
  get: (ctx: Context, name: string, columns: readonly string[]) =>
    getPublicEvent(ctx, { id: name, slug: name }, columns),
} as const;

const publicForms = formsOf((organizationId) => publicCondition(organizationId, 't'));

/** Of events of an organization, by default of that of the request. */
export function publicFormLoader(ctx: Context, organizationId = publicOrganization(ctx)): Loader<Form | null> {
  return batchLoader<Form | null>(ctx, `public form ${organizationId}`, (ids) =>
    findForms(ctx.db, publicForms, { ids, organizationId, version: null }),
  );
}

const publicFields = Object.keys(publicEventResource.fields) as (keyof typeof publicEventResource.fields)[];

const heldEvent = prepared((at: { id: string }) => {
  const shown = readColumns(publicFields).map((name) => sql.ref(`t.${name}`));
  return sql<
    Record<string, unknown>
  >`select ${sql.join(shown)} from ${eventsWithRelated} t where t.id = ${at.id}::uuid`;
});

/** For the holder of a subscription, even if the event is no longer public. */
export async function getEventForHolder(ctx: Context, id: string): Promise<PublicEventRow> {
  const row = await ctx.db.row(heldEvent({ id }));
  if (!row) throw new DomainError('NOT_FOUND');
  const event = compute(ctx, shapeRow<PublicEventRow>(publicEventResource, row), publicFields);
  return pick(event, publicFields);
}

export async function getPublicForm(ctx: Context, event: string): Promise<Form> {
  const { id } = await publicEvents.get(ctx, event, []);
  const form = await publicFormLoader(ctx).load(id);
  if (!form) throw new DomainError('NOT_FOUND');
  return form;
}

const shownEvents: ListDefinition = {
  resource: publicEventResource,
  source: () => eventsWithRelated,
  visible: ({ owner }) => publicCondition(owner, 't'),
  // a replica that lags behind the revision would give a response that is cached under a newer revision than its own
  from: 'write',
};

const upcomingEvents: ListDefinition = {
  ...shownEvents,
  resource: { ...publicEventResource, name: 'coming_public_event' },
  visible: ({ owner, now }) => sql`${publicCondition(owner, 't')} and t.date_end >= ${now}::timestamptz`,
};

function publicEventList(ctx: Context): OwnList {
  return { list: shownEvents, owner: publicOrganization(ctx) };
}

/** Over the alias (reference/public-and-guests.md#public-events). */
export function publicCondition(organizationId: string, table: 't' | 'e'): RawBuilder<boolean> {
  const { ACTIVE, CANCELLED } = eventStatuses;
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`${column('organization_id')} = ${organizationId}::uuid
    and ${column('visibility')} = 'public' and ${column('status')} in (${sql.lit(ACTIVE)}, ${sql.lit(CANCELLED)})`;
}
