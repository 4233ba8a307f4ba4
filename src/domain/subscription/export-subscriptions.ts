import { sql } from 'kysely';
import { isoTimestamp, parseUuid } from '#input-values';
import { empty, type Snapshot } from '#postgres-access';
import type { Delivery } from '#slow-readers';
import type { MemberContext } from '../../engine/context.ts';
import { type Exported, type ExportInput, readExport } from '../../engine/list/export.ts';
import { conditionOf, rowsStatement, select, tableSql } from '../../engine/list/list.sql.ts';
import { type ListRows, type ListStatement, timestampColumns } from '../../engine/list/page.ts';
import type { ListDefinition, MemberScope } from '../../engine/list/resource.ts';
import { requireRole } from '../../kernel/request.ts';
import { recordExport } from '../audit/audit.ts';
import { eventResource } from '../event/event.resource.ts';
import { getEvent } from '../event/event.ts';
import { organizationList } from './organization-subscriptions.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';
import { userColumn, visibleSubscriptions } from './subscription.ts';
import { joinedPosition } from './waiting-position.ts';

/** With the visible fields of its user and event, if requested. */
export type ExportedSubscription = SubscriptionRow & Record<`user__${string}` | `event__${string}`, unknown>;

export interface SubscriptionExportInput extends ExportInput {
  userColumns: readonly string[];
  eventColumns: readonly string[];
  /** Whether all keys of answers must be known before the first row. */
  answerKeys: boolean;
}

export interface AnswerKeys {
  /** In order; each has a column. */
  keys: string[];
  more: boolean;
}

/** Columns for answers; the newest versions of the form come first. A form has up to 50 questions. */
const maxAnswerColumns = 1_000;

/**
 * Passes all subscriptions of the list to `write`, from one snapshot (reference/calendars-and-exports.md#exports).
 * @param event whose list it is; null for that of the organization
 * @throws DomainError FORBIDDEN, NOT_FOUND, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportSubscriptions(
  ctx: MemberContext,
  event: string | null,
  { userColumns, eventColumns, answerKeys, ...input }: SubscriptionExportInput,
  write: (
    rows: Exported<ExportedSubscription>,
    about: { answers: AnswerKeys; event: { slug: string } | null; delivery: Delivery },
  ) => Promise<void>,
): Promise<void> {
  requireRole(ctx, 'manager');
  const found = event === null ? null : await getEvent(ctx, parseUuid(event) ?? '', ['slug']);
  const columns = input.columns.filter((name) => name !== 'waiting_position');
  const own = found ? { list: subscriptionsOfEvent, owner: found.id } : organizationList(ctx);
  const position = columns.length === input.columns.length ? null : found ? 'event_id' : 'organization_id';
  const source = { ...own, joined: joinRelations({ userColumns, eventColumns }, position) };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordExport(ctx, 'subscriptions.exported', input, found?.id);
    const matching = { ...own, where: input.where };
    const answers = answerKeys ? await findKeys(ctx, snapshot, matching) : { keys: [], more: false };
    const rows = readExport<ExportedSubscription>(ctx, snapshot, source, { ...input, columns });
    const shown = eventColumns.length > 0 ? withEventTimes(rows, eventColumns) : rows;
    await write(shown, { answers, event: found, delivery: snapshot.delivery });
  });
}

/** Its owner is the event. */
const subscriptionsOfEvent: ListDefinition = {
  resource: subscriptionResource,
  visible: (at: MemberScope) => sql`t.event_id = ${at.owner}::uuid and ${visibleSubscriptions(at)}`,
};

/** @param position the column of the owner if the positions in waiting lists are read */
function joinRelations(
  { userColumns, eventColumns }: Pick<SubscriptionExportInput, 'userColumns' | 'eventColumns'>,
  position: 'event_id' | 'organization_id' | null,
): ListStatement['joined'] {
  return {
    columns: [
      ...(position ? [{ sql: () => sql`w.position`, name: 'waiting_position' }] : []),
      ...userColumns.map((name) => ({ sql: userColumn(name, 't'), name: `user__${name}` })),
      ...eventColumns.map((name) => ({ sql: () => sql.ref(`e.${name}`), name: `event__${name}` })),
    ],
    join: ({ owner }) => sql`${userColumns.length > 0 ? sql`left join "user" u on u.id = t.user_id` : empty}
      ${position ? joinedPosition(sql`${sql.ref(position)} = ${owner}::uuid`) : empty}
      ${eventColumns.length > 0 ? sql`left join event e on e.id = t.event_id` : empty}`,
  };
}

async function* withEventTimes(
  batches: Exported<ExportedSubscription>,
  columns: readonly string[],
): Exported<ExportedSubscription> {
  const times = timestampColumns(eventResource, columns).map((name) => `event__${name}` as const);
  for await (const rows of batches) {
    for (const row of rows) for (const name of times) row[name] = isoTimestamp(String(row[name]));
    yield rows;
  }
}

/**
 * The keys of the exported answers and of all versions of the forms; if there are too many, those of the newest versions.
 * @param rows of {@link subscriptionsOfEvent}, the form of the event counts even if there are none
 */
async function findKeys(ctx: MemberContext, snapshot: Snapshot, rows: ListRows): Promise<AnswerKeys> {
  const statement = rowsStatement(ctx, rows, { shape: ['answer keys'] }, (slots) => {
    const table = tableSql(rows.list, slots.scope);
    const condition = conditionOf(rows, slots);
    const events =
      rows.list === subscriptionsOfEvent
        ? sql`${slots.scope.owner}::uuid`
        : select(sql`t.event_id`, table, sql`where ${condition}`);
    // a text, for its window and its JSON functions
    return sql<{ key: string; place: number }>`select key, place from (
      select key, row_number() over (order by max(version) desc, key)::int as place from (
        select key, 0 as version from ${table}
          cross join lateral jsonb_object_keys(case jsonb_typeof(t.answers) when 'object' then t.answers end) key
          where ${condition}
        union all
        select question->>'key', f.version from form_version f join form_content c using (organization_id, hash)
          cross join lateral jsonb_array_elements(c.questions) question where f.event_id in (${events})
      ) used group by key
    ) ranked where place <= ${sql.lit(maxAnswerColumns + 1)} order by key`;
  });
  const found = await snapshot.rows(statement);
  const named = found.filter(({ place }) => place <= maxAnswerColumns);
  return { keys: named.map(({ key }) => key), more: named.length < found.length };
}
