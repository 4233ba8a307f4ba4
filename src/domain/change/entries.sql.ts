import { randomUUIDv7 } from 'node:crypto';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { ChangeKind, ChangeOp } from './change.table.ts';

type Op = Extract<ChangeOp, 'created' | 'changed' | 'deleted'>;

/** What entries tell of an event, as it is after the change: the command knows it under the lock of the event. */
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

/** A row of the log, without what PostgreSQL adds. */
interface Entry {
  organizationId: string;
  kind: ChangeKind;
  op: ChangeOp;
  memberOp: ChangeOp | null;
  objectId: string | null;
  eventId: string | null;
  userId: string | null;
  version: number | null;
  actorId: string | null;
}

/** More changes of one kind in one transaction become a single `refetch`. */
export const mostChanges = 10_000;

/** The entry of a change. */
export function entryOf(change: ObjectChange, event: LoggedEvent): Entry {
  const { kind, op, objectId, eventId, actorId, userId = null } = change;
  const version = kind === 'event' ? event.version : (change.version ?? null);
  return {
    organizationId: event.organization_id,
    ...{ kind, op, memberOp: memberOpOf(change, event), objectId, eventId, userId, actorId },
    version: op === 'deleted' ? null : version,
  };
}

/**
 * Members do not see drafts (interface/resources.md#who-sees-what): for them an event that is published is created, and one that
 * becomes a draft is hidden.
 */
function memberOpOf({ kind, op, wasVisible }: ObjectChange, { status }: LoggedEvent): ChangeOp | null {
  const isVisible = status !== 0;
  if (kind !== 'event') return isVisible ? op : null;
  if (isVisible) return (wasVisible ?? true) ? op : 'created';
  return wasVisible ? 'hidden' : null;
}

/** The entries that stand for too many changes of one kind: one for each organization. */
export function refetchesOf(kind: ChangeKind, events: readonly LoggedEvent[]): Entry[] {
  const nothing = { objectId: null, eventId: null, userId: null, version: null, actorId: null };
  return [...new Set(events.map((event) => event.organization_id))].map((organizationId) => ({
    ...{ organizationId, kind, op: 'refetch', memberOp: 'refetch', ...nothing },
  }));
}

/** Up to how many entries have a row of parameters each: their statements are planned once. */
const mostRows = 2;

/**
 * The statement that writes entries, which get ascending numbers.
 *
 * @param beside an insert that is part of it
 */
export function entriesSql(entries: readonly Entry[], beside?: Sql): Sql {
  const columns = sql`${beside ? sql`with beside as (${beside})` : empty} insert into change
    (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id, occurred_at)`;
  return entries.length > mostRows
    ? sql`${columns} ${arraysSql(entries)}`
    : sql`${columns} values ${join(entries.map(rowSql))}`;
}

function rowSql(entry: Entry): Sql {
  return sql`(${entry.organizationId}, pg_current_xact_id(), ${randomUUIDv7()}, ${entry.kind}, ${entry.op}, ${entry.memberOp},
    ${entry.objectId}, ${entry.eventId}, ${entry.userId}, ${entry.version}, ${entry.actorId}, clock_timestamp())`;
}

function arraysSql(entries: readonly Entry[]): Sql {
  const column = <Value>(read: (entry: Entry) => Value) => entries.map(read);
  return sql`select organization_id, pg_current_xact_id(), id, kind, op, member_op, object_id, event_id, user_id, version,
      actor_id, clock_timestamp()
    from unnest(${[...entries.keys()]}::int[], ${column((each) => each.organizationId)}::uuid[],
      ${column(() => randomUUIDv7())}::uuid[], ${column((each) => each.kind)}::text[], ${column((each) => each.op)}::text[],
      ${column((each) => each.memberOp)}::text[], ${column((each) => each.objectId)}::uuid[],
      ${column((each) => each.eventId)}::uuid[], ${column((each) => each.userId)}::uuid[],
      ${column((each) => each.version)}::int[], ${column((each) => each.actorId)}::uuid[])
      as given (n, organization_id, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id)
    order by n`;
}
