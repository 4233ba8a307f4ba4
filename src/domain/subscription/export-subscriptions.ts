import sql, { raw, type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { type Exported, type ExportInput, exportCondition, readExport } from '../../engine/list/export.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Delivery } from '../../kernel/delivery.ts';
import { requireRole } from '../../kernel/roles.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import { recordExport } from '../audit/audit.ts';
import { getEvent } from '../event/event.ts';
import { visibleSubscriptions } from './subscription.policy.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';

/** A column of the user `u` of a subscription `t`, as `asHolderOf` shows it. */
const holderColumn = (name: string) => (name === 'name' ? 'coalesce(t.guest_name, u.name)' : `u.${name}`);

/** A subscription with the visible fields of its user, if requested. */
export type ExportedSubscription = SubscriptionRow & Record<`user__${string}`, unknown>;

export interface SubscriptionExportInput extends ExportInput {
  /** The exported columns of the users. */
  userColumns: readonly string[];
  /** Whether the keys of all answers must be known before the first row. */
  answerKeys: boolean;
}

/** The keys of the answers in an export, in order. */
export interface AnswerKeys {
  /** The keys with columns of their own. */
  keys: string[];
  /** Whether there are others. */
  more: boolean;
}

/**
 * The maximum number of columns for answers; the newest versions of the form come first. A form has up to 50 questions.
 */
const maxAnswerColumns = 1_000;

/**
 * Passes all subscriptions of an event's list to `write`, from one snapshot, with the keys of their answers; for
 * managers and owners (interface/calendars-and-exports.md#exports).
 *
 * @throws DomainError FORBIDDEN, NOT_FOUND, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportSubscriptions(
  ctx: MemberContext,
  event: string,
  { userColumns, answerKeys, ...input }: SubscriptionExportInput,
  write: (
    rows: Exported<ExportedSubscription>,
    about: { answers: AnswerKeys; event: { slug: string }; delivery: Delivery },
  ) => Promise<void>,
): Promise<void> {
  requireRole(ctx, 'manager');
  const found = await getEvent(ctx, parseUuid(event) ?? '', ['slug']);
  const joined = {
    columns: userColumns.map((name) => ({ sql: holderColumn(name), name: `user__${name}` })),
    join: raw('left join "user" u on u.id = t.user_id'),
  };
  const source = {
    resource: subscriptionResource,
    visible: sql`t.event_id = ${found.id}::uuid and ${visibleSubscriptions(ctx)}`,
    ...(userColumns.length > 0 ? { joined } : {}),
  };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordExport(ctx, 'subscriptions.exported', input, found.id);
    const condition = exportCondition(ctx, source, input.where);
    const answers = answerKeys ? await findKeys(snapshot, found.id, condition) : { keys: [], more: false };
    const rows = readExport<ExportedSubscription>(ctx, snapshot, source, input);
    await write(rows, { answers, event: found, delivery: snapshot.delivery });
  });
}

/**
 * The keys of the exported answers and of all versions of the form; if there are too many, those of the newest
 * versions.
 */
async function findKeys(snapshot: Snapshot, eventId: string, condition: Sql): Promise<AnswerKeys> {
  const found = await snapshot.rows<{ key: string; place: number }>(sql`select key, place from (
      select key, row_number() over (order by max(version) desc, key)::int as place from (
        select key, 0 as version from subscription t
          cross join lateral jsonb_object_keys(case jsonb_typeof(t.answers) when 'object' then t.answers end) key
          where ${condition}
        union all
        select question->>'key', f.version from form_version f join form_content c using (organization_id, hash)
          cross join lateral jsonb_array_elements(c.questions) question where f.event_id = ${eventId}::uuid
      ) used group by key
    ) ranked where place <= ${maxAnswerColumns + 1} order by key`);
  const named = found.filter(({ place }) => place <= maxAnswerColumns);
  return { keys: named.map(({ key }) => key), more: named.length < found.length };
}
