import { type RawBuilder, sql } from 'kysely';
import { parseUuid } from '#input-values';
import {
  batchLoader,
  type Context,
  type Loader,
  type MemberContext,
  noteConcerns,
  rowLoader,
  withMembership,
} from '../../engine/context.ts';
import { ChildList, listKey, nestPages } from '../../engine/list/child-list.ts';
import { everything } from '../../engine/list/condition.ts';
import { conditionOf, rowsStatement, tableSql } from '../../engine/list/list.sql.ts';
import type { ListInput } from '../../engine/list/list.ts';
import { type ListStatement, type NestedPage, type Page, shapeRow } from '../../engine/list/page.ts';
import type { ChildDefinition, MemberScope } from '../../engine/list/resource.ts';
import type { PrimedLoader } from '../../engine/primed-loader.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import { visibleEvents } from '../event/event.ts';
import { nameIn, type UserRow, userLoader } from '../user/user.ts';
import { type SubscriptionRow, subscriptionColumns, subscriptionResource } from './subscription.resource.ts';

/** A condition over the alias, within visible events: members see only their own (reference/conventions.md#who-sees-what). */
export function visibleSubscriptions({ membership, viewer }: MemberScope, alias: 't' | 'p' = 't'): RawBuilder<boolean> {
  return isManager(membership) ? sql.lit(true) : sql`${sql.ref(`${alias}.user_id`)} = ${viewer.userId}::uuid`;
}

const definition: ChildDefinition = {
  resource: subscriptionResource,
  parent: { table: 'event', column: 'event_id' },
  visibleParents: (at: MemberScope) => visibleEvents(at, 'p'),
  visible: (at: MemberScope) => visibleSubscriptions(at),
};

export const eventSubscriptions = new ChildList<SubscriptionRow>(definition);

/**
 * A page of subscriptions that another statement reads with each of its events, which the viewer must be allowed to see. Null
 * if answers are selected: a page would arrive as one value of perhaps 50 MB, which cannot be interrupted, so the loader reads
 * it row by row instead.
 * @param input without cursors, which would belong to one event's list
 * @param pages the loader to fill with the pages; that of users is filled, too
 */
export function nestedSubscriptions(
  ctx: MemberContext,
  input: SubscriptionListInput,
  pages: PrimedLoader<Page<SubscriptionRow>>,
): NestedPage | null {
  if (input.columns.includes('answers')) return null;
  const scope = (eventId: string) => eventSubscriptions.scope(ctx, eventId, input.where);
  const joined = joinUsers(input);
  const statement = eventSubscriptions.statement(ctx, input, scope('').window(input.paging), joined);
  const prime = primeUsers(ctx, input);
  const key = `with subscriptions ${listKey(input)} ${input.userColumns}`;
  return nestPages<SubscriptionRow>(key, statement, sql`t.event_id = page.id`, scope, (eventId, page) => {
    pages.fill(eventId, page);
    prime(page.items);
    noteConcerns(ctx, page.items);
  });
}

/** @throws DomainError NOT_FOUND if it is unknown, of another event or not visible to the viewer */
export async function getSubscription(
  ctx: MemberContext,
  eventId: string,
  id: string,
  columns: readonly string[],
): Promise<SubscriptionRow> {
  const uuid = parseUuid(id);
  const rows = uuid ? await subscriptionLoader(ctx, ['event_id', ...columns]).load(uuid) : null;
  if (!rows || rows.event_id !== parseUuid(eventId)) throw new DomainError('NOT_FOUND');
  return rows;
}

/** A subscription that was just written, as both APIs return it. */
export async function subscriptionRow(ctx: MemberContext, id: string): Promise<SubscriptionRow> {
  const [row] = await findSubscriptions(ctx, [id], subscriptionColumns);
  if (!row) throw new Error(`the subscription ${id} was written but cannot be read`);
  return row;
}

export function subscriptionCursor(ctx: MemberContext, subscription: SubscriptionRow): string {
  const scope = eventSubscriptions.scope(ctx, subscription.event_id, everything);
  return scope.seal({ time: Date.parse(subscription.created_at), id: subscription.id });
}

/** By their ids, or the viewer's by the ids of their events, newest first. */
export async function findSubscriptions(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
  by: 'by id' | 'of viewer' = 'by id',
): Promise<SubscriptionRow[]> {
  const rows = { list: definition, owner: ctx.membership.organizationId, where: everything };
  const names = [...new Set(['id', ...columns])];
  const further = { shape: [by, names], values: { ids } };
  const statement = rowsStatement(ctx, rows, further, (slots) => {
    const { viewer } = slots.scope;
    const chosen =
      by === 'by id'
        ? sql`t.id = any(${slots.slot('ids')}::uuid[])`
        : sql`t.event_id = any(${slots.slot('ids')}::uuid[]) and t.user_id = ${viewer.userId}::uuid
            order by t.created_at desc, t.id desc`;
    return sql<Record<string, unknown>>`select ${sql.join(names.map((name) => sql.ref(`t.${name}`)))}
      from ${tableSql(definition, slots.scope)}
      join event p on (p.id, p.organization_id) = (t.event_id, t.organization_id)
      where ${definition.visibleParents(slots.scope)} and ${conditionOf(rows, slots)} and ${chosen}`;
  });
  const fetched = await ctx.db.rows(statement);
  const found = fetched.map((each) => shapeRow<SubscriptionRow>(subscriptionResource, each));
  noteConcerns(ctx, found);
  return found;
}

export function subscriptionLoader(ctx: Context, columns: readonly string[]): Loader<SubscriptionRow | null> {
  return rowLoader(ctx, `subscription ${columns.join()}`, (ids) =>
    findSubscriptions(withMembership(ctx), ids, columns),
  );
}

/** The newest, by event. */
export function viewerSubscriptionLoader(ctx: Context, columns: readonly string[]): Loader<SubscriptionRow | null> {
  return batchLoader<SubscriptionRow | null>(ctx, `viewer subscription ${columns.join()}`, async (eventIds) => {
    const rows = await findSubscriptions(withMembership(ctx), eventIds, ['event_id', ...columns], 'of viewer');
    return eventIds.map((id) => rows.find((each) => each.event_id === id) ?? null);
  });
}

/** With their users, by event; null for an event that the viewer may not see. Lists of events fill it. */
export function subscriptionPageLoader(
  ctx: Context,
  input: SubscriptionListInput,
): PrimedLoader<Page<SubscriptionRow>> {
  return eventSubscriptions.pages(ctx, input, {
    key: String(input.userColumns),
    read: async (own, eventIds) => {
      const prime = primeUsers(own, input);
      const pages = await eventSubscriptions.list(own, eventIds, input, joinUsers(input));
      for (const page of pages.values()) {
        if (page instanceof DomainError) continue;
        prime(page.items);
        noteConcerns(own, page.items);
      }
      return pages;
    },
  });
}

export interface SubscriptionListInput extends ListInput {
  /** Columns of the users to read with the rows; needs `user_id` in `columns`. */
  userColumns?: readonly string[] | undefined;
}

/** Reads the users of a page in the same statement; both APIs still get them through the loader. */
export function joinUsers({ columns, userColumns = [] }: SubscriptionListInput): ListStatement['joined'] {
  const names = furtherColumns(userColumns);
  if (names.length === 0) return undefined;
  const ofUsers = names.map((name) => ({ sql: userColumn(name, 'page'), name: joinedNames[name] }));
  // or PostgreSQL would read each user twice
  const attendees = columns.includes('attendee_name') ? [attendee] : [];
  return {
    columns: [...ofUsers, ...attendees],
    join: () => sql`left join "user" u on u.id = page.user_id`,
    needs: names.includes('name') || attendees.length > 0 ? ['guest_name'] : [],
  };
}

const attendee = { sql: () => sql`coalesce(page.guest_name, u.name)`, name: 'attendee_name' };

/** Of the user `u`. @param row the alias of the subscription */
export function userColumn(name: string, row: 'page' | 't') {
  return ({ membership }: MemberScope): RawBuilder<unknown> =>
    name === 'name' ? nameIn(membership, 'u', row) : sql.ref(`u.${name}`);
}

const joinedNames = { name: 'user__name', avatar_url: 'user__avatar_url', email: 'user__email' } as const;

function furtherColumns(columns: readonly string[]): (keyof typeof joinedNames)[] {
  return columns.filter((name): name is keyof typeof joinedNames => name in joinedNames);
}

/** Fills the loader with the users of a page. */
export function primeUsers(
  ctx: MemberContext,
  { userColumns }: Pick<SubscriptionListInput, 'userColumns'>,
): (items: readonly SubscriptionRow[]) => void {
  if (!userColumns) return () => undefined;
  const loader = userLoader(ctx, userColumns);
  const names = furtherColumns(userColumns);
  return (items) => {
    for (const item of items) {
      const row = item as SubscriptionRow & Record<string, unknown>;
      const user: Record<string, unknown> = { id: item.user_id };
      for (const name of names) user[name] = row[joinedNames[name]];
      loader.fill(item.user_id, user as UserRow & Record<string, unknown>);
    }
  };
}
