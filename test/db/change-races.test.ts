import type { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { decodePlace, encodePlace, type Place } from '#log-places';
import { PostgresDatabase } from '#postgres-access';
import { changeKinds } from '../../src/domain/change/change.table.ts';
import { placeAtEnd, readChanges } from '../../src/domain/change/read-changes.ts';
import type { ChangeView } from '../../src/domain/change/read-log.ts';
import { numbers } from '../support/changes.ts';
import { connectTo, createTestDatabase } from '../support/database.ts';
import { inTest, shared } from '../support/shared.ts';

const organizationId = '01900000-0000-7000-8000-000000000001';
const view: ChangeView = { organizationId, member: null, kinds: changeKinds };

const connect = () => inTest(connectTo(database.url));

const objectId = (number: number) => `01900000-0000-7000-9000-${String(number).padStart(12, '0')}`;

/** One change, as the commands write it: with a version that the row lock of its object orders. */
async function change(client: Client, object: number): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    'update thing set version = version + 1 where id = $1 returning version',
    [object],
  );
  await client.query(
    `insert into change (organization_id, x, id, kind, op, member_op, object_id, event_id, version, occurred_at)
      values ($1, pg_current_xact_id(), gen_random_uuid(), 'event', 'changed', 'changed', $2, $2, $3, clock_timestamp())`,
    [organizationId, objectId(object), rows[0]?.version],
  );
}

const database = await shared(createTestDatabase());
const db = new PostgresDatabase(database.orm);
await database.execute('create table thing (id int primary key, version int not null default 0)');

/** A page, and the objects and versions in it. */
async function readPage(place: Place | null, limit: number) {
  const read = await readChanges(db, view, { place, limit, now: new Date(), retentionDays: 30 });
  const versions = read.items.map(({ row }): [string, number] => [row.object_id as string, row.version as number]);
  return { ...read, versions };
}

/** Reads everything that follows a place, in pages; each place goes through its bytes, as in a cursor. */
async function walk(from: Place | null, limit: number): Promise<{ place: Place; seen: [string, number][] }> {
  const seen: [string, number][] = [];
  let place = from;
  while (true) {
    const { items, versions, next, hasMore } = await readPage(place, limit);
    expect(items.length).toBeLessThanOrEqual(limit);
    seen.push(...versions);
    expect(decodePlace(encodePlace(next))).toEqual(next);
    place = next;
    if (!hasMore) return { place, seen };
  }
}

describe('the log of changes', () => {
  it('shows what a transaction committed late, also if it took its number while others were not over', async () => {
    const [early, late, other] = [await connect(), await connect(), await connect()];
    await early.query('insert into thing (id) values (900), (901), (902)');
    // `early` has the lower transaction number, and writes after `late`, which is not over then: see momentOf
    await early.query('begin');
    await early.query('select pg_current_xact_id()');
    await late.query('begin');
    await change(late, 900);
    await change(early, 901);
    await early.query('commit');
    const first = await walk(null, 10);
    expect(first.seen).toEqual([[objectId(901), 1]]);
    await late.query('commit');
    const second = await walk(first.place, 10);
    expect(second.seen).toEqual([[objectId(900), 1]]);
    await change(other, 902);
    const third = await walk(second.place, 10);
    expect(third.seen).toEqual([[objectId(902), 1]]);
    expect((await walk(third.place, 10)).seen).toEqual([]);
  });

  it('pages through a large late transaction while others go on, each change once', async () => {
    const [bulk, other] = [await connect(), await connect()];
    await other.query('insert into thing (id) select generate_series(1000, 1040)');
    const before = await placeAtEnd(db, organizationId, new Date());
    await bulk.query('begin');
    for (let object = 1000; object < 1030; object += 1) await change(bulk, object);
    for (let object = 1030; object < 1035; object += 1) await change(other, object);
    const first = await walk(before, 2);
    expect(first.seen.length).toBe(5);
    await bulk.query('commit');
    const seen: [string, number][] = [];
    let place = first.place;
    for (let page = 0; page < 40; page += 1) {
      const read = await readPage(place, 4);
      seen.push(...read.versions);
      place = read.next;
      // changes of what is still to be read, and of what has been
      if (page < 5) for (const object of [1029, 1000, 1036]) await change(other, object);
    }
    const expected = [
      ...Array.from({ length: 30 }, (_, index) => [objectId(1000 + index), 1]),
      ...Array.from({ length: 5 }, (_, index) => [
        ...[1029, 1000].map((object) => [objectId(object), index + 2]),
        [objectId(1036), index + 1],
      ]).flat(),
    ];
    expect(seen.toSorted()).toEqual(expected.toSorted());
    for (const object of [1029, 1000, 1036]) {
      const versions = seen.filter(([id]) => id === objectId(object)).map(([, version]) => version);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    }
  });

  it.each([1, 2, 3, 4])('loses and repeats nothing under racing writers, in any page size (seed %i)', async (seed) => {
    const random = numbers(seed * 7919);
    const base = seed * 100_000;
    const things = 12;
    await database.execute('insert into thing (id) select generate_series(?::int, ?::int)', [base, base + things - 1]);
    const from = await placeAtEnd(db, organizationId, new Date());
    let writing = true;
    const committed = new Map<string, number>();
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      const client = await connect();
      const own = numbers(seed * 31 + writer);
      for (let round = 0; round < 30; round += 1) {
        const made: number[] = [];
        await client.query('begin');
        try {
          // some take their transaction number long before they write
          if (own(2) === 0) await client.query('select pg_current_xact_id()');
          if (own(3) === 0) await client.query('select pg_sleep($1)', [own(20) / 1000]);
          const chosen = Array.from({ length: 1 + own(own(8) === 0 ? 10 : 3) }, () => base + own(things));
          for (const object of [...new Set(chosen)].toSorted((a, b) => a - b)) {
            if (own(4) === 0) {
              await client.query('savepoint tried');
              await change(client, object);
              await client.query('rollback to savepoint tried');
            }
            if (own(5) === 0) await client.query('savepoint kept');
            await change(client, object);
            made.push(object);
          }
          if (own(4) === 0) await client.query('select pg_sleep($1)', [own(30) / 1000]);
          if (own(6) === 0) await client.query('rollback');
          else {
            await client.query('commit');
            for (const object of made) committed.set(objectId(object), (committed.get(objectId(object)) ?? 0) + 1);
          }
        } catch (error) {
          await client.query('rollback');
          throw error;
        }
      }
    });
    const readers = [1, 2, 3, 7, 50].map(async (limit) => {
      let place = from;
      const seen: [string, number][] = [];
      while (true) {
        const last = !writing;
        const { items, versions, next, hasMore } = await readPage(place, limit);
        // a client may also go on from any change of a page
        const cut = items.length > 1 && random(4) === 0 ? 1 + random(items.length - 1) : null;
        seen.push(...versions.slice(0, cut ?? items.length));
        place = decodePlace(encodePlace(cut === null ? next : (items[cut - 1]?.place as Place))) as Place;
        if (last && !hasMore && cut === null) return { limit, seen };
        if (!hasMore) await new Promise((resolve) => setTimeout(resolve, random(5)));
      }
    });
    await Promise.all(writers);
    writing = false;
    for (const { limit, seen } of await Promise.all(readers)) {
      const versions = Map.groupBy(seen, ([id]) => id);
      const model = [...committed].map(([id, count]) => [id, Array.from({ length: count }, (_, index) => index + 1)]);
      const found = [...versions].map(([id, each]) => [id, each.map(([, version]) => version)]);
      // versions in their order: nothing lost, nothing twice, and the order of each object
      expect({ limit, found: found.toSorted() }).toEqual({ limit, found: model.toSorted() });
    }
  });
});
