import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Text } from '../../engine/database.ts';
import { type Exported, type ExportInput, exportCondition, readExport } from '../../engine/list/export.ts';
import { type ListStatement, select, tableSql, timestampColumns } from '../../engine/list/list.sql.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Delivery } from '../../kernel/delivery.ts';
import { requireRole } from '../../kernel/request.ts';
import { isoTimestamp, parseUuid } from '../../kernel/scalars.ts';
import { recordExport } from '../audit/audit.ts';
import { eventResource } from '../event/event.resource.ts';
import { getEvent } from '../event/event.ts';
import { visibleInOrganization } from './organization-subscriptions.ts';
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
  const source = {
    resource: subscriptionResource,
    visible: found ? sql`t.event_id = ${found.id}::uuid and ${visibleSubscriptions(ctx)}` : visibleInOrganization(ctx),
    joined: joinRelations(ctx, { userColumns, eventColumns, position: columns.length < input.columns.length }, found),
  };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordExport(ctx, 'subscriptions.exported', input, found?.id);
    const condition = exportCondition(ctx, source, input.where);
    const answers = answerKeys ? await findKeys(snapshot, found?.id ?? null, condition) : { keys: [], more: false };
    const rows = readExport<ExportedSubscription>(ctx, snapshot, source, { ...input, columns });
    const shown = eventColumns.length > 0 ? withEventTimes(rows, eventColumns) : rows;
    await write(shown, { answers, event: found, delivery: snapshot.delivery });
  });
}

function joinRelations(
  { membership }: MemberContext,
  {
    userColumns,
    eventColumns,
    position,
  }: Pick<SubscriptionExportInput, 'userColumns' | 'eventColumns'> & { position: boolean },
  event: { id: string } | null,
): ListStatement['joined'] {
  const list = event ? sql`event_id = ${event.id}::uuid` : sql`organization_id = ${membership.organizationId}::uuid`;
  return {
    columns: [
      ...(position ? [{ sql: raw('w.position'), name: 'waiting_position' }] : []),
      ...userColumns.map((name) => ({ sql: userColumn(membership, name, 't'), name: `user__${name}` })),
      ...eventColumns.map((name) => ({ sql: raw(`e.${name}`), name: `event__${name}` })),
    ],
    join: join(
      [
        ...(userColumns.length > 0 ? [raw('left join "user" u on u.id = t.user_id')] : []),
        ...(position ? [joinedPosition(list)] : []),
        ...(eventColumns.length > 0 ? [raw('left join event e on e.id = t.event_id')] : []),
        empty,
      ],
      ' ',
    ),
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
 * @param eventId the only event, whose form counts even without rows; null if the list has several
 */
async function findKeys(snapshot: Snapshot, eventId: string | null, condition: Sql): Promise<AnswerKeys> {
  const rows = tableSql({ resource: subscriptionResource });
  const events = eventId === null ? select(raw('t.event_id'), rows, sql`where ${condition}`) : sql`${eventId}::uuid`;
  // a text, for its window and its JSON functions
  const statement: Text<{ key: string; place: number }> = sql`select key, place from (
      select key, row_number() over (order by max(version) desc, key)::int as place from (
        select key, 0 as version from ${rows}
          cross join lateral jsonb_object_keys(case jsonb_typeof(t.answers) when 'object' then t.answers end) key
          where ${condition}
        union all
        select question->>'key', f.version from form_version f join form_content c using (organization_id, hash)
          cross join lateral jsonb_array_elements(c.questions) question where f.event_id in (${events})
      ) used group by key
    ) ranked where place <= ${maxAnswerColumns + 1} order by key`;
  const found = await snapshot.rows(statement);
  const named = found.filter(({ place }) => place <= maxAnswerColumns);
  return { keys: named.map(({ key }) => key), more: named.length < found.length };
}
