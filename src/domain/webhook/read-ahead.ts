import { randomUUIDv7 } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { notMoving } from '../../engine/moved.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { ChangeKind } from '../change/change.table.ts';
import { type ChangeRow, type ChangeView, changeFor } from '../change/change-view.ts';
import type { Place } from '../change/place.ts';
import { placeAtEnd, readChanges } from '../change/read-changes.ts';
import { type PlaceColumns, placeOf, setPlace } from './webhook-place.ts';
import { hasDue, queueChanges } from './webhook-queue.ts';

/**
 * How many changes of a webhook that could be sent are read ahead of its deliveries, and how many may wait in all, most of
 * them because their objects fail: a webhook that is far behind must not copy the log (note 0059).
 */
const most = { ready: 200, waiting: 10_000 };

const [ready, waiting] = [raw(String(most.ready)), raw(String(most.waiting))];
/** Whether a webhook has fewer than `most` waiting changes. The orders are those of indexes; a plan that is kept knows the limits. */
const hasRoom = sql`(select count(*) from (select from webhook_due d where d.webhook_id = w.id and not d.held
      and d.due_at <= now() order by d.due_at limit ${ready}) ready) < ${ready}
    and (select count(*) from (select from webhook_due d where d.webhook_id = w.id order by d.change_id
      limit ${waiting}) waiting) < ${waiting}`;

/**
 * Whether a webhook should read without being told of a change. Where nothing is, its place is renewed each hour, since the
 * log reaches back for a limited time.
 */
const wantsReading = sql`(w.unread or w.place_at < now() - interval '1 hour')`;

interface Reader extends Pick<PlaceColumns, 'place'> {
  id: string;
  organization_id: string;
  kinds: ChangeKind[];
}

/** What webhooks have to do. */
export interface Work {
  id: string;
  organization_id: string;
  /** Whether it should read the log. */
  reads: boolean;
  /** Whether it may, if it should; otherwise it reads once something is delivered. */
  room: boolean | null;
  /** Whether it has changes that are due. */
  sends: boolean;
}

/**
 * The webhooks that have something to do.
 *
 * @param changed the organizations that may have changed; null if that may be any
 * @param all whether to look at those of other organizations, too
 */
export async function findWork(db: Database, changed: readonly string[] | null, all: boolean): Promise<Work[]> {
  const among = all ? sql`true` : sql`w.organization_id = any(${changed ?? []}::uuid[])`;
  // planning it takes longer than running it, and it runs after every few writes
  return await db.rows<Work>(
    sql`select w.id, w.organization_id, work.*, case when work.reads then ${hasRoom} end as room
      from webhook w cross join lateral (
        select ${wantsReading} or ${changed === null} or w.organization_id = any(${changed ?? []}::uuid[]) as reads,
          ${hasDue} is true as sends
      ) work
      where w.status = 'active' and ${among} and (work.reads or work.sends) and ${notMoving(raw('w.organization_id'))}`,
    { prepared: true },
  );
}

/** For how long the log is kept, and what time it is. */
interface ReadingTime {
  now: Date;
  retentionDays: number;
}

/**
 * Reads the next changes of a webhook from the log and queues them. Returns whether there is more; null if it could not
 * read, for example because another process is doing that.
 */
export async function readAhead(db: Database, webhookId: string, time: ReadingTime): Promise<boolean | null> {
  const reader = await db.row<Reader>(
    sql`select id, organization_id, kinds, place from webhook w
      where id = ${webhookId}::uuid and status = 'active' and ${hasRoom}`,
    { prepared: 'planned each time' },
  );
  if (!reader) return null;
  // the log is read outside of transactions; whoever has moved the webhook meanwhile has read it, too
  const { changes, next, more } = await readOn(db, reader, time);
  return await db.transaction(async (unit) => {
    const { place, kinds } = reader;
    const unmoved = await unit.row(sql`select from webhook where id = ${webhookId}::uuid and status = 'active'
        and place is not distinct from ${place}::bytea and kinds = ${kinds}::text[] for update skip locked`);
    if (!unmoved) return null;
    await queueChanges(unit, reader, changes);
    await unit.run(setPlace(webhookId, next, more));
    return more;
  });
}

interface ReadAhead {
  changes: { seq: string; change: ChangeRow }[];
  next: Place;
  more: boolean;
}

async function readOn(db: Database, reader: Reader, time: ReadingTime): Promise<ReadAhead> {
  // as owners read: whoever created the webhook may have left
  const view: ChangeView = { organizationId: reader.organization_id, member: null, kinds: reader.kinds };
  try {
    const { items, next, hasMore } = await readChanges(db, view, {
      place: placeOf(reader),
      limit: most.ready,
      ...time,
    });
    const changes = items.map(({ row }) => ({ change: changeFor(view, row), seq: String(row.seq) }));
    return { changes, next, more: hasMore };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CURSOR_EXPIRED')) throw error;
    return await beginAgain(db, view, time);
  }
}

/**
 * Goes on from now, and says that the lists have to be read: the log no longer has everything that follows the place, or
 * the database was restored from a backup.
 */
async function beginAgain(
  db: Database,
  { organizationId, kinds }: ChangeView,
  { now }: ReadingTime,
): Promise<ReadAhead> {
  const next = await placeAtEnd(db, organizationId, now);
  const nothing = { object_id: null, event_id: null, version: null, actor_id: null };
  const changes = kinds.map((kind) => ({
    seq: String(next.height),
    change: { id: randomUUIDv7(), kind, op: 'refetch' as const, ...nothing, occurred_at: now.toISOString() },
  }));
  return { changes, next, more: true };
}
