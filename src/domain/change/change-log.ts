import type { UnitOfWork } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { entriesSql, mostChanges, type ObjectChange, refetchSql } from './entries.sql.ts';

/** What a transaction has changed so far, one entry for each object. */
class ChangeLog {
  readonly #changes = new Map<string, ObjectChange>();
  /** By how much the numbers of accepted subscriptions of events have changed. */
  readonly #accepted = new Map<string, number>();

  add(change: ObjectChange): void {
    const key = `${change.kind} ${change.objectId}`;
    const former = this.#changes.get(key);
    const merged = former ? merge(former, change) : change;
    if (merged) this.#changes.set(key, merged);
    else this.#changes.delete(key);
    // its form goes with the event
    if (change.kind === 'event' && change.op === 'deleted') this.#changes.delete(`form ${change.objectId}`);
  }

  /** Notes that an event has more or fewer accepted subscriptions. */
  addAccepted(eventId: string, number: number): void {
    this.#accepted.set(eventId, (this.#accepted.get(eventId) ?? 0) + number);
  }

  /** Writes the entries. Everything that they tell of must have been sent before: they read their events. */
  async write(db: UnitOfWork): Promise<void> {
    const changes = new Map(this.#changes);
    for (const [eventId, number] of this.#accepted) {
      if (number === 0 || changes.has(`event ${eventId}`)) continue;
      changes.set(`event ${eventId}`, { kind: 'event', op: 'changed', objectId: eventId, eventId, actorId: null });
    }
    if (changes.size === 0) return;
    await db.flush();
    const byKind = Map.groupBy(changes.values(), ({ kind }) => kind);
    const single = [...byKind.values()].filter(({ length }) => length <= mostChanges).flat();
    if (single.length > 0) await db.run(entriesSql(single));
    for (const [kind, many] of byKind) if (many.length > mostChanges) await db.run(refetchSql(kind, many));
  }
}

/** One entry for two changes of an object; null if nothing of it is left. */
function merge(former: ObjectChange, later: ObjectChange): ObjectChange | null {
  if (former.op === 'created' && later.op === 'deleted') return null;
  const { actorId, wasVisible } = former;
  return {
    ...later,
    op: former.op === 'created' ? 'created' : later.op,
    actorId: actorId ?? later.actorId,
    ...(wasVisible === undefined ? {} : { wasVisible }),
  };
}

const logs = new WeakMap<UnitOfWork, ChangeLog>();

/** The log of a transaction, which is written right before the commit; then the readers of this process are woken. */
export function logOf(tx: Transaction): ChangeLog {
  const known = logs.get(tx.db);
  if (known) return known;
  const log = new ChangeLog();
  logs.set(tx.db, log);
  tx.beforeCommit(() => log.write(tx.db));
  tx.afterCommit(() => tx.services.changes.nudge());
  return log;
}

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
