import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { UnitOfWork } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { ChangeKind, ChangeOp } from './change.table.ts';
import type { StoredChange } from './read-changes.ts';

type Op = Extract<ChangeOp, 'created' | 'changed' | 'deleted'>;

/** The facts of an event in log entries, as they are after the change: the command knows them under the lock of the event. */
export interface LoggedEvent {
  id: string;
  organization_id: string;
  /** 0 is a draft. */
  status: number;
  version: number;
}

/** A change of one object, as the command that makes it reports it. */
export interface ObjectChange {
  kind: ChangeKind;
  op: Op;
  /** The id of the event, also for its form; that of the subscription. */
  objectId: string;
  eventId: string;
  /** The user who did it; null if nobody did. */
  actorId: string | null;
  /** The holder of a subscription. */
  userId?: string;
  /** The new version of a form; that of an event is its own. */
  version?: number;
  /** Of events: whether members saw it before; absent if that does not change. */
  wasVisible?: boolean;
}

/** More changes of one kind in one transaction become a single `refetch`. */
export const mostChanges = 10_000;

/** What a transaction has changed so far, one entry for each object. */
class ChangeLog {
  readonly #changes = new Map<string, ObjectChange>();
  /** By how much the numbers of accepted subscriptions of events have changed. */
  readonly #accepted = new Map<string, number>();
  /** The events of the changes, as they were reported last. */
  readonly #events = new Map<string, LoggedEvent>();

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

  /** A copy: the command that reports the event may change it. */
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
    if (entries.length > 0) await db.run(entriesSql(entries));
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
function logOf(tx: Transaction): ChangeLog {
  const known = logs.get(tx.db);
  if (known) return known;
  const log = new ChangeLog();
  logs.set(tx.db, log);
  tx.beforeCommit(() => log.write(tx.db));
  tx.afterCommit(() => tx.services.changes.wake(log.organizationIds));
  return log;
}

/**
 * Records the change of an event or of a form (reference/changes.md#what-is-a-change).
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

/** A row of the log, without what PostgreSQL adds. */
type Entry = Omit<StoredChange, 'seq' | 'x' | 'id' | 'occurred_at'> & { organization_id: string };

/** The entry of a change. */
function entryOf(change: ObjectChange, event: LoggedEvent): Entry {
  const { kind, op, objectId, eventId, actorId, userId = null } = change;
  const version = kind === 'event' ? event.version : (change.version ?? null);
  return {
    organization_id: event.organization_id,
    ...{ kind, op, member_op: memberOpOf(change, event), object_id: objectId, event_id: eventId },
    ...{ user_id: userId, actor_id: actorId },
    version: op === 'deleted' ? null : version,
  };
}

/**
 * Members do not see drafts (reference/conventions.md#who-sees-what): for them an event that is published is created, and one that
 * becomes a draft is hidden.
 */
function memberOpOf({ kind, op, wasVisible }: ObjectChange, { status }: LoggedEvent): ChangeOp | null {
  const isVisible = status !== 0;
  if (kind !== 'event') return isVisible ? op : null;
  if (isVisible) return (wasVisible ?? true) ? op : 'created';
  return wasVisible ? 'hidden' : null;
}

/** The entries that stand for too many changes of one kind: one for each organization. */
function refetchesOf(kind: ChangeKind, events: readonly LoggedEvent[]): Entry[] {
  const nothing = { object_id: null, event_id: null, user_id: null, version: null, actor_id: null };
  return [...new Set(events.map((event) => event.organization_id))].map((organization_id) => ({
    ...{ organization_id, kind, op: 'refetch', member_op: 'refetch', ...nothing },
  }));
}

/** The statement that writes entries, which get ascending numbers. */
function entriesSql(entries: readonly Entry[]): Sql {
  const column = <Value>(read: (entry: Entry) => Value) => entries.map(read);
  return sql`insert into change
      (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id, occurred_at)
    select organization_id, pg_current_xact_id(), id, kind, op, member_op, object_id, event_id, user_id, version,
      actor_id, clock_timestamp()
    from unnest(${[...entries.keys()]}::int[], ${column((each) => each.organization_id)}::uuid[],
      ${column(() => randomUUIDv7())}::uuid[], ${column((each) => each.kind)}::text[], ${column((each) => each.op)}::text[],
      ${column((each) => each.member_op)}::text[], ${column((each) => each.object_id)}::uuid[],
      ${column((each) => each.event_id)}::uuid[], ${column((each) => each.user_id)}::uuid[],
      ${column((each) => each.version)}::int[], ${column((each) => each.actor_id)}::uuid[])
      as given (n, organization_id, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id)
    order by n`;
}
