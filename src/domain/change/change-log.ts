import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { UnitOfWork } from '../../engine/database.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { ChangeKind, ChangeOp } from './change.table.ts';
import type { StoredChange } from './read-log.ts';

type Op = Extract<ChangeOp, 'created' | 'changed' | 'deleted'>;

/** An event after the change, as the command knows it under the lock of the event. */
export interface LoggedEvent {
  id: string;
  organization_id: string;
  /** 0 is a draft. */
  status: number;
  version: number;
}

interface ObjectChange {
  kind: ChangeKind;
  op: Op;
  /** The id of the event, also for its form, or of the subscription. */
  objectId: string;
  eventId: string;
  actorId: string | null;
  userId?: string;
  version?: number;
  /** Of events: whether members saw it before; absent if that is unchanged. */
  wasVisible?: boolean;
}

/** More changes of one kind in one transaction become one `refetch`. */
export const mostChanges = 10_000;

/** What a transaction has changed so far, one entry for each object. */
class ChangeLog {
  readonly #changes = new Map<string, ObjectChange>();
  /** The events of the changes, as they were last reported; `accepted`: by how many subscriptions more are accepted. */
  readonly #events = new Map<string, LoggedEvent & { accepted: number }>();

  get organizationIds(): ReadonlySet<string> {
    return new Set(this.#events.values().map((event) => event.organization_id));
  }

  add({ id, organization_id, status, version }: LoggedEvent, change: ObjectChange, newlyAccepted = 0): void {
    const accepted = (this.#events.get(id)?.accepted ?? 0) + newlyAccepted;
    // a copy: the command may change the event
    this.#events.set(id, { id, organization_id, status, version, accepted });
    const key = `${change.kind} ${change.objectId}`;
    const former = this.#changes.get(key);
    const merged = former ? merge(former, change) : change;
    if (merged) this.#changes.set(key, merged);
    else this.#changes.delete(key);
    // the form is deleted with the event
    if (change.kind === 'event' && change.op === 'deleted') this.#changes.delete(`form ${change.objectId}`);
  }

  async write(db: UnitOfWork): Promise<void> {
    const changes = new Map(this.#changes);
    for (const { id: eventId, accepted } of this.#events.values()) {
      if (accepted === 0 || changes.has(`event ${eventId}`)) continue;
      changes.set(`event ${eventId}`, { kind: 'event', op: 'changed', objectId: eventId, eventId, actorId: null });
    }
    const eventOf = ({ eventId }: ObjectChange) => this.#events.get(eventId) as LoggedEvent;
    const entries = [...Map.groupBy(changes.values(), ({ kind }) => kind)].flatMap(([kind, many]) =>
      many.length > mostChanges
        ? refetchesOf(kind, many.map(eventOf))
        : many.map((change) => entryOf(change, eventOf(change))),
    );
    if (entries.length > 0) await db.run(insertEntries({ entries: JSON.stringify(entries) }));
  }
}

/** Two changes of an object as one; null if they cancel out. */
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

/** The log of a transaction, written right before the commit; after it, the readers of this process are woken. */
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

interface SubscriptionLogEntry extends Pick<ObjectChange, 'op' | 'actorId'> {
  subscription: { id: string; user_id: string };
  /** By how much it changes the number of accepted subscriptions. */
  accepted: 1 | 0 | -1;
}

/** Records the change of a subscription, and that of the number of accepted ones of its event, which is locked. */
export function recordSubscriptionChange(
  tx: Transaction,
  event: LoggedEvent,
  { op, subscription: { id, user_id: userId }, actorId, accepted }: SubscriptionLogEntry,
): void {
  logOf(tx).add(event, { kind: 'subscription', op, objectId: id, eventId: event.id, userId, actorId }, accepted);
}

export function acceptedBy(from: string | null, to: string): 1 | 0 | -1 {
  if ((from === 'accepted') === (to === 'accepted')) return 0;
  return to === 'accepted' ? 1 : -1;
}

type Entry = Omit<StoredChange, 'seq' | 'x' | 'occurred_at'> & { organization_id: string };

function entryOf(change: ObjectChange, event: LoggedEvent): Entry {
  const { kind, op, objectId, eventId, actorId, userId = null } = change;
  const version = kind === 'event' ? event.version : (change.version ?? null);
  return {
    ...{ id: randomUUIDv7(), organization_id: event.organization_id },
    ...{ kind, op, member_op: memberOpOf(change, event), object_id: objectId, event_id: eventId },
    ...{ user_id: userId, actor_id: actorId },
    version: op === 'deleted' ? null : version,
  };
}

/** Members do not see drafts: for them, publishing an event creates it, and unpublishing hides it. */
function memberOpOf({ kind, op, wasVisible }: ObjectChange, { status }: LoggedEvent): ChangeOp | null {
  const isVisible = status !== 0;
  if (kind !== 'event') return isVisible ? op : null;
  if (isVisible) return (wasVisible ?? true) ? op : 'created';
  return wasVisible ? 'hidden' : null;
}

/** In place of too many changes of one kind: one entry for each organization. */
function refetchesOf(kind: ChangeKind, events: readonly LoggedEvent[]): Entry[] {
  const nothing = { object_id: null, event_id: null, user_id: null, version: null, actor_id: null };
  return [...new Set(events.map((event) => event.organization_id))].map((organization_id) => ({
    ...{ id: randomUUIDv7(), organization_id, kind, op: 'refetch', member_op: 'refetch', ...nothing },
  }));
}

const insertEntries = prepared(
  (at: { entries: string }) => sql<never>`insert into change
      (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id, occurred_at)
    select organization_id, pg_current_xact_id(), id, kind, op, member_op, object_id, event_id, user_id, version,
      actor_id, clock_timestamp()
    from json_populate_recordset(null::change, ${at.entries}::json)`,
);
