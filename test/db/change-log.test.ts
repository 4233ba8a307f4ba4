import { randomUUIDv7 } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { decodePlace, encodePlace, type Place } from '#log-places';
import { PostgresDatabase } from '#postgres-access';
import { type ChangeKind, changeKinds } from '../../src/domain/change/change.table.ts';
import { placeAtEnd, readChanges } from '../../src/domain/change/read-changes.ts';
import { settleRestoredChanges } from '../../src/domain/change/restored.ts';
import type { UnitOfWork } from '../../src/engine/database.ts';
import { oldChangesSql } from '../../src/jobs/expired.ts';
import { createTestDatabase } from '../support/database.ts';
import { shared } from '../support/shared.ts';

const organizationId = '01900000-0000-7000-8000-000000000001';
const day = 86_400_000;
const run = (statement: string, values: unknown[] = []) => database.execute(statement, values);
const value = async (sql: string) => (await database.execute<{ value: string }>(`select ${sql} as value`))[0]?.value;

const database = await shared(createTestDatabase());
const db = new PostgresDatabase(database.orm);
beforeEach(() => run('truncate change, change_floor'));

/** So many changes of events, each of a day, the last one today; `version` counts them. */
async function write(count: number, { kind = 'event' as ChangeKind, from = 1, member = null as string | null } = {}) {
  await run(
    `insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, user_id, version, occurred_at)
      select ?, (100 + n)::text::xid8, id, ?, 'changed', 'changed', gen_random_uuid(), gen_random_uuid(), ?, n, now() - make_interval(days => ? - n)
      from unnest(?::uuid[]) with ordinality as given (id, nth), lateral (select ? + nth::int as n) numbered`,
    [organizationId, kind, member, from + count - 1, `{${Array.from({ length: count }, randomUUIDv7)}}`, from - 1],
  );
}

interface Asked {
  place?: Place | null;
  limit?: number;
  kinds?: readonly ChangeKind[];
  now?: Date;
  member?: string | null;
}

async function read({ place = null, limit = 50, kinds = changeKinds, now = new Date(), member = null }: Asked = {}) {
  const page = await readChanges(db, { organizationId, member, kinds }, { place, limit, now, retentionDays: 30 });
  return { ...page, versions: page.items.map(({ row }) => (row.op === 'refetch' ? row.kind : row.version)) };
}

const expired = expect.objectContaining({ code: 'CURSOR_EXPIRED' });

describe('the log of changes', () => {
  it('begins with a refetch of each kind where it does not reach back, in any page size', async () => {
    await run('insert into change_floor values (?, 0, now())', [organizationId]);
    await write(2);
    expect((await read()).versions).toEqual(['event', 'form', 'subscription', 1, 2]);
    expect((await read({ kinds: ['form', 'event'] })).versions).toEqual(['event', 'form', 1, 2]);
    const seen: unknown[] = [];
    let place: Place | null = null;
    for (let page = 0; page < 5; page += 1) {
      const { versions, next, hasMore } = await read({ place, limit: 1 });
      seen.push(...versions);
      expect(hasMore).toBe(page < 4);
      place = decodePlace(encodePlace(next)) as Place;
    }
    expect(seen).toEqual(['event', 'form', 'subscription', 1, 2]);
    const ids = (await read()).items.map(({ row }) => row.id);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('tells a reader once that the lists have to be read, also within the second in which it begins', async () => {
    const seq = await value(`nextval(pg_get_serial_sequence('change', 'seq'))`);
    const now = new Date(Math.floor(Date.now() / 1000) * 1000 + 999);
    await run('insert into change_floor values (?, ?, ?)', [organizationId, seq, new Date(now.getTime() - 100)]);
    const first = await read({ now });
    expect(first.versions).toEqual(['event', 'form', 'subscription']);
    const place = decodePlace(encodePlace(first.next)) as Place;
    expect((await read({ place, now })).versions).toEqual([]);
    await write(2);
    expect((await read({ place, now })).versions).toEqual([1, 2]);
    // until the log begins once more, or earlier than the reader knows
    await run('update change_floor set seq = seq - 1');
    await expect(read({ place, now })).rejects.toEqual(expired);
    await run('update change_floor set seq = seq + 2, updated_at = ?', [now]);
    await expect(read({ place, now })).rejects.toEqual(expired);
  });

  it('keeps changes for the time of cursors and a day more, and then begins with a refetch', async () => {
    await write(40);
    const early = await read({ limit: 3 });
    const atEnd = await placeAtEnd(db, organizationId, new Date());
    while ((await db.rows(oldChangesSql(30, 4))).length === 4);
    const kept = Array.from({ length: 31 }, (_, n) => n + 10);
    expect((await read()).versions).toEqual(['event', 'form', 'subscription', ...kept]);
    // what follows the first place is not all there
    await expect(read({ place: early.next })).rejects.toEqual(expired);
    expect((await read({ place: atEnd })).versions).toEqual([]);
    await run('delete from change');
    await run('update change_floor set seq = (select max(seq) from (select 1000000 as seq) s)');
    expect((await read({ place: atEnd })).versions).toEqual([]);
  });

  it('knows what was deleted while changes were kept for less time than now', async () => {
    const at = (days: number) => placeAtEnd(db, organizationId, new Date(Date.now() - days * day));
    const [before, after] = [await at(20), await at(3)];
    await write(40);
    await db.rows(oldChangesSql(5, 500));
    await expect(read({ place: before })).rejects.toEqual(expired);
    expect((await read({ place: after })).versions).toEqual(Array.from({ length: 6 }, (_, n) => n + 35));
  });

  it('does not go on from a refetch that was told before more was deleted', async () => {
    await run('insert into change_floor values (?, 0, now())', [organizationId]);
    await write(40);
    const first = await read({ limit: 1 });
    expect((await read({ place: first.next, limit: 1 })).versions).toEqual(['form']);
    await db.rows(oldChangesSql(30, 500));
    await expect(read({ place: first.next })).rejects.toEqual(expired);
  });

  it('ends cursors that are older than what is kept', async () => {
    const { next } = await read();
    const late = (days: number) => read({ place: next, now: new Date(Date.now() + days * day) });
    expect((await late(29)).versions).toEqual([]);
    await expect(late(31)).rejects.toEqual(expired);
  });

  it('ends cursors that know more than a restored database', async () => {
    await write(3);
    const before = await read({ limit: 2 });
    const after = await read();
    await run('delete from change where version = 3');
    await expect(read({ place: after.next })).rejects.toEqual(expired);
    expect((await read({ place: before.next })).versions).toEqual([]);
    // the same number again, for another change
    const seq = await value('(select max(seq) + 1 from change)');
    await run(`select setval(pg_get_serial_sequence('change', 'seq'), ?, false)`, [seq]);
    await write(1, { from: 7 });
    await expect(read({ place: after.next })).rejects.toEqual(expired);
    expect((await read({ place: before.next })).versions).toEqual([7]);
  });

  describe('that was restored', () => {
    const now = new Date();
    const seconds = Math.floor(now.getTime() / 1000);
    /** The number of a transaction that this cluster has yet to reach. */
    const ahead = async (by: number) => Number(await value('pg_snapshot_xmax(pg_current_snapshot())::text')) + by;
    const marked = async () => await run(`select version from change where x = '3' order by version`);
    beforeEach(() => run('truncate log_restore'));
    /** Changes of the same moment, with the versions -5 to 0. */
    const writeNow = async () => {
      await write(6, { from: -5 });
      await run('update change set occurred_at = now()');
    };

    it('takes its changes for what they are: long over', async () => {
      await write(3);
      await run('update change set x = ?::xid8 where version = 2', [String(await ahead(1000))]);
      const begin = vi.fn();
      expect(await settleRestoredChanges(db, { now, begin })).toBe(1);
      expect(await settleRestoredChanges(db, { now, begin })).toBe(0);
      expect(begin).toHaveBeenCalledTimes(1);
      expect(await marked()).toEqual([{ version: 2 }]);
      const { next: place, versions } = await read();
      expect(versions).toEqual([1, 2, 3]);
      for (let other = 0; other < 4; other += 1) {
        await run('select pg_current_xact_id()');
        expect((await read({ place })).versions).toEqual([]);
      }
    });

    it('marks a long log in many statements, which several processes share', async () => {
      await write(12_000);
      await run(`update change set x = (x::text::bigint + ?)::text::xid8`, [await ahead(1_000_000)]);
      const shares = await Promise.all([settleRestoredChanges(db, { now }), settleRestoredChanges(db, { now })]);
      expect(shares[0] + shares[1]).toBe(12_000);
      expect(await marked()).toHaveLength(12_000);
      expect(await run('select count(*)::int as count from log_restore')).toEqual([{ count: 1 }]);
    });

    it('ends cursors from before that may have read what the number of a newer change hides', async () => {
      await writeNow();
      // a transaction that had drawn its number was not over
      await run('delete from change where version = -1');
      const { next } = await read();
      await settleRestoredChanges(db, { now: new Date((seconds + 60) * 1000), told: true });
      await expect(read({ place: next })).rejects.toEqual(expired);
      // it was read before the newest change was written, has not come to the gap, or was taken since
      expect((await read({ place: { ...next, at: next.at - 60 } })).versions).toEqual([]);
      const below = { ...(await read({ limit: 4 })).next, at: next.at };
      expect((await read({ place: below })).versions).toEqual([0]);
      expect((await read({ place: { ...next, at: seconds + 60 } })).versions).toEqual([]);
    });

    it('lets cursors go on if no number is missing', async () => {
      await writeNow();
      const { next } = await read();
      await settleRestoredChanges(db, { now: new Date((seconds + 60) * 1000), told: true });
      expect((await read({ place: next })).versions).toEqual([]);
    });

    it('ends cursors from before that wait for a transaction, as it cannot be told from others any more', async () => {
      await write(3);
      const { next: read3 } = await read();
      const x = await ahead(1000);
      await run('update change set x = ?::xid8 where version = 2', [String(x)]);
      const at = seconds - 60;
      const moment = { open: [x], from: x + 5, to: x + 5 };
      const waiting = { ...read3, at, moment };
      // where it was taken, the change that was committed late is read
      expect((await read({ place: waiting })).versions).toEqual([2]);
      await settleRestoredChanges(db, { now });
      await expect(read({ place: waiting })).rejects.toEqual(expired);
      const begun = { ...read3, at, moment: { open: [], from: x, to: x + 5 } };
      await expect(read({ place: begun })).rejects.toEqual(expired);
      const amid = { ...read3, at, late: { last: read3.height - 2, moment } };
      await expect(read({ place: amid })).rejects.toEqual(expired);
      // nothing that it has not read had begun, or it was taken since
      const quiet = { ...read3, at, moment: { open: [], from: x + 5, to: x + 5 } };
      expect((await read({ place: quiet })).versions).toEqual([]);
      expect((await read({ place: { ...waiting, at: seconds } })).versions).toEqual([]);
    });
  });

  it('ends cursors of an organization without changes that know of more deleted ones than a restored database', async () => {
    await run('insert into change_floor values (?, 90, now())', [organizationId]);
    const place = await placeAtEnd(db, organizationId, new Date());
    expect((await read({ place })).versions).toEqual([]);
    await run('update change_floor set seq = 10');
    await expect(read({ place })).rejects.toEqual(expired);
  });

  it('reads the kinds and the holder of a view, each from its index', async () => {
    const [holder, other] = ['01900000-0000-7000-8000-0000000000a1', '01900000-0000-7000-8000-0000000000a2'];
    await write(1);
    await write(1, { kind: 'form', from: 2 });
    await write(1, { kind: 'subscription', from: 3, member: holder });
    await write(1, { kind: 'subscription', from: 4, member: other });
    expect((await read()).versions).toEqual([1, 2, 3, 4]);
    expect((await read({ kinds: ['form', 'subscription'] })).versions).toEqual([2, 3, 4]);
    expect((await read({ member: holder })).versions).toEqual([1, 2, 3]);
    expect((await read({ member: holder, kinds: ['subscription'] })).versions).toEqual([3]);
  });

  it('is not read within a transaction, whose own number would hide younger ones', async () => {
    const view = { organizationId, member: null, kinds: changeKinds };
    const now = new Date();
    for (const work of [
      (unit: UnitOfWork) => readChanges(unit, view, { place: null, limit: 1, now, retentionDays: 30 }),
      (unit: UnitOfWork) => placeAtEnd(unit, organizationId, now),
    ])
      await expect(db.transaction<unknown>(work)).rejects.toThrow('within a transaction');
  });
});
