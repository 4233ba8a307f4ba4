import { randomUUIDv7 } from 'node:crypto';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ChangeKind, ChangeOp } from './change.table.ts';

type Op = Extract<ChangeOp, 'created' | 'changed' | 'deleted'>;

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
  /** The new version of a form; that of an event is read from its row. */
  version?: number;
  /** Of events: whether members saw it before; absent if that does not change. */
  wasVisible?: boolean;
  /** Of deleted events, which have no row to read it from. */
  organizationId?: string;
}

/** More changes of one kind in one transaction become a single `refetch`. */
export const mostChanges = 10_000;

/** Up to how many entries have a row of parameters each: their statements are planned once. */
const mostRows = 2;

/**
 * The statement that writes entries. Members do not see drafts (interface/resources.md#who-sees-what): for them an event that
 * is published is created, and one that becomes a draft is hidden.
 */
export function entriesSql(changes: readonly ObjectChange[]): Sql {
  return sql`insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, actor_id, occurred_at)
    select coalesce(e.organization_id, given.organization_id), pg_current_xact_id(), given.id, kind, op,
      case when kind <> 'event' then case when e.status <> 0 then op end
        when e.status <> 0 then case when coalesce(was_visible, true) then op else 'created' end
        when was_visible then 'hidden' end,
      object_id, given.event_id, user_id, case when kind = 'event' then e.version else given.version end,
      actor_id, clock_timestamp()
    from ${changes.length > mostRows ? arraysSql(changes) : rowsSql(changes)}
      as given (n, id, kind, op, object_id, event_id, user_id, version, actor_id, was_visible, organization_id)
    left join event e on e.id = given.event_id order by n`;
}

/** Of arrays PostgreSQL expects many rows, unless it plans anew for those at hand, which costs more than writing a few. */
function rowsSql(changes: readonly ObjectChange[]): Sql {
  const rows = changes.map(
    (change, index) => sql`(${raw(String(index))}, ${randomUUIDv7()}::uuid, ${change.kind}::text, ${change.op}::text,
      ${change.objectId}::uuid, ${change.eventId}::uuid, ${change.userId ?? null}::uuid, ${change.version ?? null}::int,
      ${change.actorId}::uuid, ${change.wasVisible ?? null}::boolean, ${change.organizationId ?? null}::uuid)`,
  );
  return sql`(values ${join(rows)})`;
}

function arraysSql(changes: readonly ObjectChange[]): Sql {
  const column = <Value>(read: (change: ObjectChange) => Value) => changes.map(read);
  return sql`unnest(${[...changes.keys()]}::int[], ${column(() => randomUUIDv7())}::uuid[],
    ${column(({ kind }) => kind)}::text[], ${column(({ op }) => op)}::text[], ${column(({ objectId }) => objectId)}::uuid[],
    ${column(({ eventId }) => eventId)}::uuid[], ${column(({ userId }) => userId ?? null)}::uuid[],
    ${column(({ version }) => version ?? null)}::int[], ${column(({ actorId }) => actorId)}::uuid[],
    ${column(({ wasVisible }) => wasVisible ?? null)}::boolean[],
    ${column(({ organizationId }) => organizationId ?? null)}::uuid[])`;
}

/** The statement that writes one `refetch` for each organization instead of too many entries. */
export function refetchSql(kind: ChangeKind, changes: readonly ObjectChange[]): Sql {
  const ids = changes.map(({ eventId }) => eventId);
  return sql`insert into change (organization_id, x, id, kind, op, member_op, occurred_at)
    select organization_id, pg_current_xact_id(), uuidv7(), ${kind}, 'refetch', 'refetch', clock_timestamp()
    from (select distinct organization_id from event where id = any(${ids}::uuid[])) concerned`;
}
