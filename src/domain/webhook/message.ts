import type { ChangeRow } from '../change/change-view.ts';

/** The type of a message, for example `event.changed`. */
export function typeOf({ kind, op }: ChangeRow): string {
  return `${kind}.${op}`;
}

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
