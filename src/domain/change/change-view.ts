import type { ChangeKind, ChangeOp } from './change.table.ts';
import type { Numbered } from './place.ts';

/** A change as one viewer sees it (interface/changes.md#fields-of-a-change). */
export interface ChangeRow {
  id: string;
  kind: ChangeKind;
  op: ChangeOp;
  /** The id of the event, also for its form; that of the subscription; null for `refetch`. */
  object_id: string | null;
  event_id: string | null;
  version: number | null;
  actor_id: string | null;
  occurred_at: string;
}

/** A change as it is stored, for all views. */
export interface StoredChange extends Omit<ChangeRow, 'op'>, Numbered {
  op: ChangeOp | null;
  member_op: ChangeOp | null;
  user_id: string | null;
}

/** Whose changes are read. */
export interface ChangeView {
  organizationId: string;
  /** The member who reads; null for managers, who see everything. */
  member: string | null;
  kinds: readonly ChangeKind[];
}

/** Whether a view contains a change: the same rule as the condition of its statement. */
export function sees(view: ChangeView, { kind, op, member_op: memberOp, user_id: holder }: StoredChange): boolean {
  if (!view.kinds.includes(kind)) return false;
  return view.member === null ? op !== null : memberOp !== null && (holder === null || holder === view.member);
}

/** A change as a view that contains it shows it. */
export function changeFor({ member }: ChangeView, row: StoredChange): ChangeRow {
  const { id, kind, object_id, event_id, version, actor_id, occurred_at } = row;
  const op = (member === null ? row.op : row.member_op) as ChangeOp;
  const isGone = op === 'hidden' || op === 'deleted';
  return { id, kind, op, object_id, event_id, version: isGone ? null : version, actor_id, occurred_at };
}
