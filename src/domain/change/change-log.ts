import type { Sql } from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { entriesSql, entryOf, type LoggedEvent, mostChanges, type ObjectChange, refetchesOf } from './entries.sql.ts';

/** What a transaction has changed so far, one entry for each object. */
class ChangeLog {
  readonly #changes = new Map<string, ObjectChange>();
  /** By how much the numbers of accepted subscriptions of events have changed. */
  readonly #accepted = new Map<string, number>();
  /** The events of the changes, as they were reported last. */
  readonly #events = new Map<string, LoggedEvent>();
  /** The inserts that go along with the entries. */
  readonly #beside: Sql[] = [];

  /** The organizations whose readers should read what was written. */
  get organizationIds(): ReadonlySet<string> {
    return new Set(this.#events.values().map((event) => event.organization_id));
  }

  add(event: LoggedEvent, change: ObjectChange): void {
    this.#note(event);
    const key = `${change.kind} ${change.objectId}`;
    const former = this.#changes.get(key);
    const merged = former ? merge(former, change) : change;
    if (merged) this.#changes.set(key, merged);
    else this.#changes.delete(key);
    // its form goes with the event
    if (change.kind === 'event' && change.op === 'deleted') this.#changes.delete(`form ${change.objectId}`);
  }

  /** Notes that an event has more or fewer accepted subscriptions. */
  addAccepted(event: LoggedEvent, number: number): void {
    this.#note(event);
    this.#accepted.set(event.id, (this.#accepted.get(event.id) ?? 0) + number);
  }

  /** Runs an insert along with that of the entries, right before the commit: one statement less in almost every write. */
  beside(insert: Sql): void {
    this.#beside.push(insert);
  }

  /** A copy: whoever reports the event may change it. */
  #note({ id, organization_id, status, version }: LoggedEvent): void {
    this.#events.set(id, { id, organization_id, status, version });
  }

  /** Writes the entries. */
  async write(db: UnitOfWork): Promise<void> {
    const changes = new Map(this.#changes);
    for (const [eventId, number] of this.#accepted) {
      if (number === 0 || changes.has(`event ${eventId}`)) continue;
      changes.set(`event ${eventId}`, { kind: 'event', op: 'changed', objectId: eventId, eventId, actorId: null });
    }
    const eventOf = ({ eventId }: ObjectChange) => this.#events.get(eventId) as LoggedEvent;
    const entries = [...Map.groupBy(changes.values(), ({ kind }) => kind)].flatMap(([kind, many]) =>
      many.length > mostChanges
        ? refetchesOf(kind, many.map(eventOf))
        : many.map((change) => entryOf(change, eventOf(change))),
    );
    const [first, ...others] = this.#beside;
    if (entries.length > 0) await db.run(entriesSql(entries, first));
    else if (first) await db.run(first);
    for (const other of others) await db.run(other);
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
  tx.afterCommit(() => tx.services.changes.nudge(log.organizationIds));
  return log;
}

/**
 * Records the change of an event or of a form (interface/changes.md#what-is-a-change).
 *
 * @param event as it is after the change
 */
export function recordEventChange(
  tx: Transaction,
  event: LoggedEvent,
  change: Omit<ObjectChange, 'objectId' | 'eventId' | 'userId' | 'kind'> & { kind: 'event' | 'form' },
): void {
  logOf(tx).add(event, { ...change, objectId: event.id, eventId: event.id });
}

/** A change of a subscription. */
export interface SubscriptionLogEntry {
  op: 'created' | 'changed';
  subscription: { id: string; user_id: string };
  actorId: string | null;
  /** By how much it changes the number of accepted subscriptions. */
  accepted: 1 | 0 | -1;
}

/**
 * Records the change of a subscription, and that of its event's number of accepted ones.
 *
 * @param event the event of the subscription, which is locked
 */
export function recordSubscriptionChange(
  tx: Transaction,
  event: LoggedEvent,
  { op, subscription: { id, user_id: userId }, actorId, accepted }: SubscriptionLogEntry,
): void {
  const log = logOf(tx);
  log.add(event, { kind: 'subscription', op, objectId: id, eventId: event.id, userId, actorId });
  if (accepted !== 0) log.addAccepted(event, accepted);
}

/** By how much a change of status changes the number of accepted subscriptions. */
export function acceptedBy(from: string | null, to: string): 1 | 0 | -1 {
  if ((from === 'accepted') === (to === 'accepted')) return 0;
  return to === 'accepted' ? 1 : -1;
}
