import { raw, type Sql } from 'sql-template-tag';
import type { ChangeRow } from '../change/change-view.ts';

/** The type of a message, for example `event.changed`. */
export function typeOf({ kind, op }: ChangeRow): string {
  return `${kind}.${op}`;
}

/** The same, as an expression over the columns of a change that waits. */
export const typeSql: Sql = raw(`kind || '.' || (change->>'op')`);

/** The body of a delivery: the same text in each try (interface/webhooks.md#messages). */
export function bodyOf(change: ChangeRow, organizationId: string): string {
  const { id, kind, op, object_id, event_id, version, actor_id, occurred_at } = change;
  return JSON.stringify({
    type: typeOf(change),
    timestamp: occurred_at,
    // jsonb keeps no order of keys
    data: { id, kind, op, object_id, event_id, version, actor_id, occurred_at, organization_id: organizationId },
  });
}
