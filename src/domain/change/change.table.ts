import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../engine/columns.ts';

export const changeKinds = ['event', 'form', 'subscription'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeOps = ['created', 'changed', 'deleted', 'hidden', 'refetch'] as const;
/** What happened, as one viewer sees it (reference/changes.md). */
export type ChangeOp = (typeof changeOps)[number];

/** What webhooks are sent, as they see what owners see. */
export const changeTypes = changeKinds.flatMap((kind) =>
  changeOps.filter((op) => op !== 'hidden').map((op) => `${kind}.${op}` as const),
);
export type ChangeType = (typeof changeTypes)[number];

/** A change as one viewer sees it (reference/changes.md#fields-of-a-change). */
export interface ChangeRow {
  id: string;
  kind: ChangeKind;
  op: ChangeOp;
  /** The id of the event (also for its form) or of the subscription; null for `refetch`. */
  object_id: string | null;
  event_id: string | null;
  version: number | null;
  actor_id: string | null;
  occurred_at: string;
}

/**
 * The log of changes: a row for each object that a transaction changed, written right before its commit (note 0058). No foreign keys:
 * it outlives the rows that it refers to.
 */
export const Change = defineEntity({
  name: 'Change',
  tableName: 'change',
  properties: {
    organization_id: p.uuid().primary(),
    /** Drawn under the lock of the object's event: of two changes of one object, the later has the higher number. */
    seq: p.bigint().primary().autoincrement(),
    /** The transaction. A reader has seen the changes of transactions that were over when it read. */
    x: p.string().columnType('xid8'),
    /** A UUIDv7, which clients see. */
    id: p.uuid(),
    kind: p.enum(changeKinds),
    /** The operation as managers see it; null if it concerns only the member. */
    op: p.enum(changeOps).nullable(),
    /** The operation as members see it; null if they do not see it. */
    member_op: p.enum(changeOps).nullable(),
    object_id: p.uuid().nullable(),
    event_id: p.uuid().nullable(),
    /** The only member who sees it: the holder of a subscription; null if all members do. */
    user_id: p.uuid().nullable(),
    /** The version of the event or of the form after the change. */
    version: p.integer().nullable(),
    actor_id: p.uuid().nullable(),
    occurred_at: timestamp(),
  },
  indexes: [
    // kinds for managers; kinds and holders for members
    { name: 'change_kind_index', properties: ['organization_id', 'kind', 'seq'] },
    {
      name: 'change_member_index',
      properties: ['organization_id', 'user_id', 'kind', 'seq'],
      where: '"member_op" is not null',
    },
    // what transactions that were open at some moment have written since
    { name: 'change_transaction_index', properties: ['x', 'organization_id', 'seq'] },
  ],
});

/** Where the log of an organization begins, if later than the organization. */
export const ChangeFloor = defineEntity({
  name: 'ChangeFloor',
  tableName: 'change_floor',
  properties: {
    organization_id: p.uuid().primary(),
    /** The highest number that was deleted from the log; 0 if it began after the organization. */
    seq: p.bigint(),
    updated_at: timestamp(),
  },
});

/** What a restore did to the log, for cursors from before it (note 0058). */
export const LogRestore = defineEntity({
  name: 'LogRestore',
  tableName: 'log_restore',
  properties: {
    at: timestamp().primary(),
    /** Whether changes had transactions of another cluster, which were marked as long over. */
    marked: p.boolean(),
    /** The time of the newest restored change. */
    newest_at: timestamp().nullable(),
    /** The lowest number that is missing among the newest changes: of a transaction that was not over at the time of the backup. */
    gap: p.bigint().nullable(),
  },
});
