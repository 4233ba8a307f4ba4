import { randomUUIDv7 } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../engine/database.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type ChangeRow, type ChangeView, changeFor } from '../change/change-view.ts';
import type { Place } from '../change/place.ts';
import { placeAtEnd, readChanges } from '../change/read-changes.ts';
import type { Turn } from './turns.ts';
import { placeOf, setPlace } from './webhook-place.ts';
import { hasDue, lookUpOnly, objectOf, queueChanges } from './webhook-queue.ts';

/** How many changes of a webhook may wait: most of them because their objects fail (note 0059). */
const mostWaiting = raw('10000');

/** Whether a webhook has fewer changes that wait. The limit is part of the text, so that a plan that is kept knows it. */
const hasRoom = sql`(select count(*) from (select from webhook_due d where d.webhook_id = w.id order by d.change_id
  limit ${mostWaiting}) waiting) < ${mostWaiting}`;

/**
 * Whether a webhook should read without being told of a change. The turn of a process that died may have read something. Where
 * nothing is, its place is renewed each hour, since the log reaches back for a limited time.
 */
const wantsReading = sql`(w.unread or w.turn_until < now() and w.turn is not null or w.place_at < now() - interval '1 hour')`;

/** A webhook that has something to do. */
export interface Work {
  id: string;
  organization_id: string;
  /** Who created the organization; null for imported ones. */
  maker_id: string | null;
  url: string;
  /** Whether it should read the log. */
  reads: boolean;
  /** Whether it may, if it should: not while too much waits. */
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
    sql`select w.id, w.organization_id, o.maker_id, w.url, work.*, case when work.reads then ${hasRoom} end as room
      from webhook w join organization o on o.id = w.organization_id cross join lateral (
        select ${wantsReading} or ${changed === null} or w.organization_id = any(${changed ?? []}::uuid[]) as reads,
          ${hasDue} is true as sends
      ) work
      where w.status = 'active' and ${among} and (work.reads or work.sends)`,
    { prepared: 'planned once' },
  );
}

/** For how long the log is kept, and what time it is. */
export interface ReadingTime {
  now: Date;
  retentionDays: number;
}

/** A change that was read from the log. */
export interface ReadItem {
  seq: string;
  change: ChangeRow;
  /** Where to read on, once it is done with. */
  place: Place;
  /** `waiting`: it can be sent. `known`: it waits already. `blocked`: an earlier one of its object does, so it has to wait, too. */
  state: 'waiting' | 'known' | 'blocked';
}

export interface ReadPage {
  items: ReadItem[];
  next: Place;
  /** Whether anything is behind `next`. */
  more: boolean;
}

/**
 * The next changes of a webhook, read from the log outside of transactions by the process that has its turn. Null if the log no longer has
 * what follows the place: then it begins again.
 */
export async function readPage(db: Database, turn: Turn, limit: number, time: ReadingTime): Promise<ReadPage | null> {
  const view = viewOf(turn);
  try {
    const { items, next, hasMore } = await readChanges(db, view, { place: placeOf(turn), limit, ...time });
    const read = items.map(({ row, place }) => ({ change: changeFor(view, row), seq: String(row.seq), place }));
    const states = turn.waits ? await findStates(db, turn, read) : new Map<string, ReadItem['state']>();
    return {
      items: read.map((each) => ({ ...each, state: states.get(each.change.id) ?? 'waiting' })),
      next,
      more: hasMore,
    };
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CURSOR_EXPIRED')) throw error;
    await beginAgain(db, turn, time);
    return null;
  }
}

/** As owners read: whoever created the webhook may have left. */
function viewOf({ organization_id: organizationId, kinds }: Turn): ChangeView {
  return { organizationId, member: null, kinds };
}

async function findStates(
  db: Database,
  { webhook_id, organization_id }: Turn,
  read: readonly { change: ChangeRow }[],
): Promise<Map<string, ReadItem['state']>> {
  const objects = read.map(({ change }) => objectOf(change));
  const own = sql`d.webhook_id = ${webhook_id}::uuid and d.organization_id = ${organization_id}::uuid`;
  const rows = await db.transaction(async (unit) => {
    await unit.run(lookUpOnly);
    return await unit.rows<{ change_id: string; known: boolean }>(sql`select n.change_id,
        exists (select from webhook_due d where ${own} and d.change_id = n.change_id) as known
      from unnest(${read.map(({ change }) => change.id)}::uuid[], ${objects.map(({ kind }) => kind)}::text[],
        ${objects.map(({ object_id }) => object_id)}::uuid[]) as n (change_id, kind, object_id)
      where exists (select from webhook_due d where ${own} and d.kind = n.kind and d.object_id = n.object_id)`);
  });
  return new Map(rows.map(({ change_id, known }) => [change_id, known ? 'known' : 'blocked']));
}

/**
 * Goes on from now, and says that the lists have to be read: the log no longer has everything that follows the place, or
 * the database was restored from a backup.
 */
async function beginAgain(db: Database, turn: Turn, { now }: ReadingTime): Promise<void> {
  const { webhook_id: id, organization_id, kinds } = turn;
  const next = await placeAtEnd(db, organization_id, now);
  const nothing = { object_id: null, event_id: null, version: null, actor_id: null };
  const changes = kinds.map((kind) => ({
    seq: String(next.height),
    change: { id: randomUUIDv7(), kind, op: 'refetch' as const, ...nothing, occurred_at: now.toISOString() },
  }));
  await db.transaction(async (unit) => {
    const unmoved = await unit.row(sql`select from webhook where id = ${id}::uuid and turn = ${turn.turn}::uuid
      and redirected_at is not distinct from ${turn.redirected_at}::timestamptz for update`);
    if (!unmoved) return;
    await queueChanges(unit, { id, organization_id }, changes);
    await unit.run(setPlace(id, next, true));
  });
}
