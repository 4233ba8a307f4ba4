import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { UnitOfWork } from '../../engine/database.ts';
import { dueNow } from '../../engine/jobs/job.table.ts';
import type { ClaimedJob } from '../../engine/jobs/job-queue.ts';
import type { Limits } from '../../kernel/limits/limits.ts';
import { deliveryPartiesOf, type Party } from '../../kernel/limits/parties.ts';
import type { ChangeKind, ChangeRow } from '../change/change.table.ts';
import { tables } from '../tables/tables.ts';

/** The data of a job that delivers a change. */
export interface DeliveryData {
  change: ChangeRow;
  attempts: number;
  /** How many attempts of the current schedule failed. */
  step: number;
  /** When the first of those was. */
  firstTriedAt: string | null;
}

/** Its position is the number of the change in the log. */
export type DeliveryJob = ClaimedJob & { data: DeliveryData };

export interface LoggedChange {
  seq: string;
  change: ChangeRow;
}

/** One change for each kind, in no log, so that the receiver reads its lists again (reference/changes.md#refetch). */
export function refetchesOf(kinds: readonly ChangeKind[], seq: number, now: Date): LoggedChange[] {
  const nothing = { object_id: null, event_id: null, version: null, actor_id: null };
  return kinds.map((kind) => ({
    seq: String(seq),
    change: { id: randomUUIDv7(), kind, op: 'refetch', ...nothing, occurred_at: now.toISOString() },
  }));
}

/** Changes of one object are sent in order. */
const keyOf = ({ kind, object_id, id }: ChangeRow) => `${kind} ${object_id ?? id}`;

export const deliveriesOf = (webhookId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`lane = 'deliveries' and due_at is not null and party = ${webhookId}`;

/** The id of the job that delivers a change, so that a change waits only once. */
export const deliveryId = (webhookId: RawBuilder<unknown>, changeId: RawBuilder<unknown>): RawBuilder<string> =>
  sql`left(encode(sha256(uuid_send(${webhookId}) || uuid_send(${changeId})), 'hex'), 32)::uuid`;

/** Queues changes of a webhook that do not wait yet. */
export async function queueDeliveries(
  db: UnitOfWork,
  webhook: { id: string; organization_id: string },
  changes: readonly (LoggedChange & Partial<Pick<DeliveryData, 'attempts' | 'firstTriedAt'>>)[],
): Promise<void> {
  if (changes.length === 0) return;
  const deliveries = changes.map(({ seq, change, attempts = 0, firstTriedAt = null }) => {
    const data: DeliveryData = { change, attempts, step: attempts, firstTriedAt };
    return { data, key: keyOf(change), seq };
  });
  const { id: webhookId, organization_id: organizationId } = webhook;
  await db.run(insertDeliveries({ webhookId, organizationId, deliveries: JSON.stringify(deliveries) }));
}

const insertDeliveries = prepared(
  (at: Record<'webhookId' | 'organizationId' | 'deliveries', string>) => sql<never>`insert into job
      (id, lane, kind, data, organization_id, party, key, position, due_at)
    select ${deliveryId(sql`${at.webhookId}::uuid`, sql`(n.data->'change'->>'id')::uuid`)}, 'deliveries', 'delivery', n.data, ${at.organizationId}::uuid, ${at.webhookId}::uuid, n.key, n.seq, ${dueNow}
    from json_to_recordset(${at.deliveries}::json) as n (data jsonb, key text, seq bigint)
    on conflict do nothing`,
);

/** Makes the waiting changes of a webhook due now, and restarts their schedule. */
export const hurryDeliveries = prepared((at: { webhookId: string }) =>
  tables
    .updateTable('job')
    .set({
      data: sql`data || '{"step": 0, "firstTriedAt": null}'`,
      error: null,
      due_at: sql`least(due_at, ${dueNow})`,
    })
    .where(deliveriesOf(sql`${at.webhookId}::uuid`))
    .where(sql<boolean>`not held and (not claimed or due_at <= now())`),
);

/** Suspends the deliveries of inactive webhooks until {@link hurryDeliveries}. Skips a locked webhook: it may become active. */
export const suspendDeliveries = prepared(
  (at: { webhookIds: readonly string[] }) => sql<never>`with given as materialized (
      select id, status from webhook where id = any(${at.webhookIds}::uuid[]) order by id for share skip locked
    )
    update job set due_at = 'infinity', claimed = false
    where lane = 'deliveries' and party in (select id from given where status <> 'active') and due_at <= now()`,
);

/** Drops waiting changes of other kinds than these. */
export const dropKinds = prepared((at: { webhookId: string; kinds: readonly string[] }) =>
  tables
    .deleteFrom('job')
    .where(deliveriesOf(sql`${at.webhookId}::uuid`))
    .where((eb) => eb(sql<string>`split_part(key, ' ', 1)`, '<>', sql<string>`all(${at.kinds})`)),
);

/** Bytes of a row in addition to its values, as in the transactions of requests (note 0056). */
const rowBytes = 128;

type Owned = Pick<ClaimedJob, 'organization_id' | 'maker_id'>;

/** Who pays for the stored deliveries of a webhook (reference/webhooks.md#deliveries). */
export function deliveryPayers({ organization_id, maker_id: makerId }: Owned): Party[] {
  return deliveryPartiesOf({ organizationId: organization_id as string, makerId });
}

/** Counts the stored bytes of changes or attempts: the change and, after a failure, the beginning of the response. */
export function chargeDeliveries(
  limits: Limits,
  owned: Owned,
  kept: readonly { change: ChangeRow; response?: string | null }[],
): void {
  let bytes = 0;
  for (const { change, response } of kept) bytes += rowBytes + JSON.stringify(change).length + (response?.length ?? 0);
  limits.keptBytes.spend(deliveryPayers(owned), bytes);
}
