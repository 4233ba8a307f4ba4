import sql, { raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import { rows } from '../database.ts';
import { DomainError } from '../errors.ts';
import { visibleEvents } from '../event/event.policy.ts';
import { conditionSql } from '../list/condition.sql.ts';
import { type Condition, isEverything } from '../list/condition.ts';
import type { Count } from '../list/count.ts';
import type { JsonShape } from '../list/json-shape.ts';
import type { ListStatement } from '../list/list.sql.ts';
import { CursorScope, type ListInput, readCounts, readPages } from '../list/list.ts';
import type { Page } from '../list/page.ts';
import { shapeRow } from '../list/row.ts';
import type { UserRow } from '../user/user.ts';
import { parseUuid } from '../uuid.ts';
import { visibleSubscriptions } from './subscription.policy.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';

/** What may be asked of a list of subscriptions. */
export interface SubscriptionListInput extends ListInput {
  /** The users are read along; `columns` must then hold `user_id`. */
  userColumns?: readonly string[] | undefined;
  /** The rows are read as this JSON, and as nothing else. */
  json?: JsonShape | null;
}

/**
 * A page of subscriptions for each of several events, in one statement. An event that the viewer may not see has no
 * entry; a cursor that is not of an event's list gives that event an INVALID_CURSOR error in place of its page.
 */
export async function listSubscriptions(
  ctx: MemberContext,
  eventIds: readonly string[],
  input: SubscriptionListInput,
): Promise<Map<string, Page<SubscriptionRow> | DomainError>> {
  const order = subscriptionResource.order;
  const owner = ctx.membership.organizationId;
  const answers = new Map<string, Page<SubscriptionRow> | DomainError>();
  const scopes = new Map<string, CursorScope>();
  let window: ListStatement['window'] | undefined;
  for (const id of eventIds) {
    const scope = new CursorScope(ctx, {
      owner,
      resource: subscriptionResource,
      parent: id,
      order,
      where: input.where,
    });
    try {
      // Without cursors the window is the same for every event; with one, it can be that of a single event alone.
      window = scope.window(input.paging);
      scopes.set(id, scope);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers.set(id, error);
    }
  }
  if (!window) return answers;
  const statement: ListStatement = {
    resource: subscriptionResource,
    columns: input.json ? input.json.columns : input.columns,
    json: input.json,
    cursors: input.cursors ?? true,
    flags: input.flags ?? true,
    order,
    window,
    prepared: isEverything(input.where),
    condition: subscriptionCondition(ctx, input.where),
    parents: parentEvents(ctx, [...scopes.keys()]),
    joined: input.json ? joinUser(input.json.user) : joinUsers(input.userColumns ?? []),
  };
  const pages = await readPages<SubscriptionRow>(ctx, statement, (parent) => scopes.get(parent) as CursorScope);
  for (const [parent, page] of pages) {
    answers.set(parent, page);
    if (input.userColumns && !input.json) primeUsers(ctx, input.userColumns, page.items);
  }
  return answers;
}

/**
 * How many subscriptions each event's list would hold, up to `max` of each where it is given; an event that the viewer
 * may not see has no entry.
 */
export async function countSubscriptions(
  ctx: MemberContext,
  eventIds: readonly string[],
  where: Condition,
  max?: number,
): Promise<Map<string, Count>> {
  const condition = subscriptionCondition(ctx, where);
  return readCounts(ctx, { resource: subscriptionResource, condition, parents: parentEvents(ctx, eventIds) }, max);
}

/** The subscriptions of these ids that the viewer may see, in no order. */
export async function findSubscriptions(
  ctx: MemberContext,
  ids: readonly string[],
  columns: readonly string[],
): Promise<SubscriptionRow[]> {
  return select(ctx, columns, sql`t.id = any(${ids}::uuid[])`);
}

/** The viewer's own subscriptions to these events, newest first. */
export async function findViewerSubscriptions(
  ctx: MemberContext,
  eventIds: readonly string[],
  columns: readonly string[],
): Promise<SubscriptionRow[]> {
  const condition = sql`t.event_id = any(${eventIds}::uuid[]) and t.user_id = ${ctx.viewer.userId}::uuid`;
  return select(ctx, ['event_id', ...columns], sql`${condition} order by t.created_at desc, t.id desc`);
}

/**
 * One subscription of one event.
 *
 * @throws DomainError NOT_FOUND for what is unknown, foreign, of another event or not for the viewer's eyes
 */
export async function getSubscription(
  ctx: MemberContext,
  eventId: string,
  id: string,
  columns: readonly string[],
): Promise<SubscriptionRow> {
  const uuid = parseUuid(id);
  const found = uuid ? await ctx.loaders.subscription(['event_id', ...columns]).load(uuid) : null;
  if (!found || found.event_id !== parseUuid(eventId)) throw new DomainError('NOT_FOUND');
  return found;
}

async function select(ctx: MemberContext, columns: readonly string[], condition: Sql): Promise<SubscriptionRow[]> {
  const names = [...new Set(['id', ...columns])].map((name) => `t.${name}`).join(', ');
  const found = await rows<Record<string, unknown>>(
    ctx.reader,
    sql`select ${raw(names)} from subscription t join event p on p.id = t.event_id
      where ${visibleEvents(ctx, 'p')} and ${visibleSubscriptions(ctx)} and ${condition}`,
  );
  return found.map((each) => shapeRow<SubscriptionRow>(subscriptionResource, each));
}

const userJoin = raw('left join "user" u on u.id = page.user_id');

/** The page's users in the same statement; they reach either face through the loader all the same. */
function joinUsers(columns: readonly string[]): ListStatement['joined'] {
  const names = furtherColumns(columns).map((name) => `u.${name} as ${joinedNames[name]}`);
  if (names.length === 0) return undefined;
  return { columns: raw(names.join(', ')), join: userJoin };
}

function joinUser(needed: boolean): ListStatement['joined'] {
  return needed ? { join: userJoin } : undefined;
}

/** What the row of the page does not say itself, and what it is called there. */
const joinedNames = { name: 'user__name', avatar_url: 'user__avatar_url', email: 'user__email' } as const;

function furtherColumns(columns: readonly string[]): (keyof typeof joinedNames)[] {
  return columns.filter((name): name is keyof typeof joinedNames => name in joinedNames);
}

function primeUsers(ctx: MemberContext, columns: readonly string[], items: readonly SubscriptionRow[]): void {
  const loader = ctx.loaders.user(columns);
  const names = furtherColumns(columns);
  for (const item of items) {
    const row = item as unknown as Record<string, unknown>;
    const user: Record<string, unknown> = { id: item.user_id };
    for (const name of names) user[name] = row[joinedNames[name]];
    loader.fill(item.user_id, user as unknown as UserRow);
  }
}

function parentEvents(ctx: MemberContext, ids: readonly string[]): NonNullable<ListStatement['parents']> {
  const condition = sql`p.id = any(${ids}::uuid[]) and ${visibleEvents(ctx, 'p')}`;
  return { table: 'event', link: raw('t.event_id = p.id'), condition };
}

function subscriptionCondition(ctx: MemberContext, where: Condition): Sql {
  return sql`${visibleSubscriptions(ctx)} and ${conditionSql(subscriptionResource, where, ctx.now)}`;
}
