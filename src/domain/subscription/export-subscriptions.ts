import sql, { raw } from 'sql-template-tag';
import type { MemberContext } from '../context.ts';
import { getEvent } from '../event/event.ts';
import { type Exported, type ExportInput, exportCondition, readExport } from '../list/export.ts';
import { requireRole } from '../organization/membership.policy.ts';
import { parseUuid } from '../uuid.ts';
import { visibleSubscriptions } from './subscription.policy.ts';
import { type SubscriptionRow, subscriptionResource } from './subscription.resource.ts';

/** A column of the user `u` of a subscription `t`, as `asHolderOf` shows it. */
const shown = (name: string) => (name === 'name' ? 'coalesce(t.guest_name, u.name)' : `u.${name}`);

/** A subscription with the visible fields of its user, if requested. */
export type ExportedSubscription = SubscriptionRow & Record<`user__${string}`, unknown>;

export interface SubscriptionExportInput extends ExportInput {
  /** The exported columns of the users. */
  userColumns: readonly string[];
  /** Whether the keys of all answers must be known before the first row. */
  answerKeys: boolean;
}

/**
 * Passes all subscriptions of an event's list to `write`, from one snapshot, with the keys of their answers; for managers
 * and owners (decisions §10).
 *
 * @throws DomainError FORBIDDEN, NOT_FOUND, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportSubscriptions(
  ctx: MemberContext,
  event: string,
  { userColumns, answerKeys, ...input }: SubscriptionExportInput,
  write: (rows: Exported<ExportedSubscription>, keys: string[], event: { slug: string }) => Promise<void>,
): Promise<void> {
  requireRole(ctx, 'manager');
  const found = await getEvent(ctx, parseUuid(event) ?? '', ['slug']);
  const joined = {
    columns: userColumns.map((name) => ({ sql: shown(name), name: `user__${name}` })),
    join: raw('left join "user" u on u.id = t.user_id'),
  };
  const source = {
    resource: subscriptionResource,
    visible: sql`t.event_id = ${found.id}::uuid and ${visibleSubscriptions(ctx)}`,
    ...(userColumns.length > 0 ? { joined } : {}),
  };
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    const condition = exportCondition(ctx, source, input.where);
    const keys = answerKeys
      ? await snapshot.rows<{ key: string }>(sql`select key from subscription t
          cross join lateral jsonb_object_keys(case jsonb_typeof(t.answers) when 'object' then t.answers end) key
          where ${condition}
          union select question->>'key' from form_version f join form_content c using (organization_id, hash) cross join lateral jsonb_array_elements(c.questions) question
          where f.event_id = ${found.id}::uuid order by key`)
      : [];
    const rows = readExport<ExportedSubscription>(ctx, snapshot, source, input);
    await write(
      rows,
      keys.map(({ key }) => key),
      found,
    );
  });
}
