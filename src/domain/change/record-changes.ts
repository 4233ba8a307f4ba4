import type { Transaction } from '../../engine/transaction.ts';
import { logOf } from './change-log.ts';
import type { ObjectChange } from './entries.sql.ts';

/** Records the change of an event or of a form (interface/changes.md#what-is-a-change). */
export function recordEventChange(
  tx: Transaction,
  change: Omit<ObjectChange, 'objectId' | 'userId' | 'kind'> & { kind: 'event' | 'form' },
): void {
  logOf(tx).add({ ...change, objectId: change.eventId });
}

/** A change of a subscription. */
export interface SubscriptionLogEntry {
  op: 'created' | 'changed';
  subscription: { id: string; event_id: string; user_id: string };
  actorId: string | null;
  /** By how much it changes the number of accepted subscriptions. */
  accepted: 1 | 0 | -1;
}

/** Records the change of a subscription, and that of its event's number of accepted ones. */
export function recordSubscriptionChange(
  tx: Transaction,
  { op, subscription, actorId, accepted }: SubscriptionLogEntry,
): void {
  const { id, event_id: eventId, user_id: userId } = subscription;
  const log = logOf(tx);
  log.add({ kind: 'subscription', op, objectId: id, eventId, userId, actorId });
  if (accepted !== 0) log.addAccepted(eventId, accepted);
}

/** By how much a change of status changes the number of accepted subscriptions. */
export function acceptedBy(from: string | null, to: string): 1 | 0 | -1 {
  if ((from === 'accepted') === (to === 'accepted')) return 0;
  return to === 'accepted' ? 1 : -1;
}
