import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBreakable } from '../support/breakable.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { graphql, query, send } from '../support/send.ts';
import { inTest } from '../support/shared.ts';
import { createUnderKey, future } from '../support/write-faces.ts';

/** A way to a database on which the answer to a commit can be kept back. */
async function startCommitHolder(databaseUrl: string) {
  let armed: { text: string; committed: () => void } | null = null;
  const way = await startBreakable(databaseUrl, (client, upstream) => {
    let held: (() => void) | null = null;
    let untold = '';
    let sent = '';
    return {
      toServer: (bytes) => {
        sent += bytes.toString('latin1');
        // a simple query is the letter Q, its length, and its text with a zero at the end; others may come right before it
        if (/Q....(commit|rollback)\0$/is.test(sent)) {
          if (armed && /commit\0$/i.test(sent) && sent.includes(armed.text)) {
            held = armed.committed;
            armed = null;
          }
          sent = '';
        }
        upstream.write(bytes);
      },
      toClient: (bytes) => {
        if (!held) {
          client.write(bytes);
          return;
        }
        // answers to what came before the commit are kept back with its own
        untold += bytes.toString('latin1');
        if (untold.includes('COMMIT\0')) held();
      },
    };
  });
  return {
    ...way,
    /**
     * Keeps back the answer to the commit of the next transaction that sends a text, in a statement or as a parameter; jobs
     * of the process may commit meanwhile. Resolves once the database has committed: what answered is never told.
     */
    holdCommitOf: (text: string) =>
      new Promise<void>((resolve) => {
        armed = { text, committed: resolve };
      }),
  };
}

// What a client can be sure of under an Idempotency-Key, with two processes on one database.

const pair = await startPair();
const [manager] = (await pair.people(1, 'manager')) as [Signed];

const count = async () => (await send<number>({ url: pair.url(0) }, manager, 'GET /events/count')).body;

/** Holds the lock that creating an event in the organization takes. */
async function holdSlugs() {
  const take = `select pg_advisory_xact_lock(hashtextextended('slugs ' || ?::text, 0))`;
  const em = await holding(pair, take, [manager.organizationId]);
  const [taken] = await em.execute<{ holder: number }[]>('select pg_backend_pid() as holder');
  const waiting = 'select pid from pg_stat_activity where ? = any(pg_blocking_pids(pid))';
  return {
    /** The connection that waits for it, once there is one. */
    waitedFor: async () => {
      await untilLocked(pair);
      const [first] = await pair.execute<{ pid: number }>(waiting, [taken?.holder]);
      return first?.pid ?? expect.fail('another lock is waited for');
    },
    release: () => em.rollback(),
  };
}

describe.each(['rest', 'graphql'] as const)('a write by %s under a key', { timeout: 60_000 }, (face) => {
  const create = (url: string, key: string, name = 'Once') => createUnderKey({ url }, face, manager, key, name);

  it('whose process dies after the commit and before the answer is answered by the other with what was made', async () => {
    const holder = await startCommitHolder(pair.databaseUrl);
    const doomed = await pair.another({ DATABASE_URL: holder.url });
    const before = await count();
    const name = `Committed by ${face}`;
    const committed = holder.holdCommitOf(name);
    const lost = create(doomed.url, `killed-${face}`, name).catch(() => null);
    await committed;
    expect(await count()).toBe(before + 1);
    await doomed.kill();
    await holder.close();
    expect(await lost).toBeNull();

    const retried = await create(pair.url(1), `killed-${face}`, name);
    expect(retried).toMatchObject({ code: null, replayed: 'true' });
    expect(await count()).toBe(before + 1);
    const { events } = await query<{ events: { nodes: { id: string; databaseId: string }[] } }>(
      { url: pair.url(0) },
      manager,
      '{ events(last: 1, orderBy: {field: CREATED_AT}) { nodes { id databaseId } } }',
    );
    const [made] = events.nodes;
    expect(retried.text).toContain(face === 'rest' ? made?.databaseId : made?.id);
    // without the key it is another one
    await create(pair.url(1), `other-${face}`);
    expect(await count()).toBe(before + 2);
  });

  it('whose process dies before the commit leaves nothing, and the key is free', async () => {
    const doomed = await pair.another({});
    const before = await count();
    const key = `dies-${face}-${randomUUID()}`;
    // it waits for the slugs while it dies, its key taken
    const slugs = await holdSlugs();
    const lost = create(doomed.url, key).catch(() => null);
    await slugs.waitedFor();
    expect((await create(pair.url(0), key)).code).toBe('CONFLICT');
    await doomed.kill();
    await slugs.release();
    expect(await lost).toBeNull();
    await expect.poll(async () => (await create(pair.url(1), key)).code).toBeNull();
    expect(await count()).toBe(before + 1);
  });

  it('whose host vanishes leaves nothing, and the key is free once the database gives it up', async () => {
    const network = await inTest(startBreakable(pair.databaseUrl));
    // a transaction is then idle for the shortest time: 10 seconds
    const doomed = await pair.another({ DATABASE_URL: network.url, WRITE_TIMEOUT_SECONDS: '50' });
    const before = await count();
    const key = `vanishes-${face}-${randomUUID()}`;
    const slugs = await holdSlugs();
    const lost = create(doomed.url, key).catch(() => null);
    const connection = await slugs.waitedFor();
    network.silence();
    await doomed.kill();
    expect(await lost).toBeNull();
    await slugs.release();
    // the database still waits for the host, and the key is taken
    const state = 'select state from pg_stat_activity where pid = ?';
    await expect.poll(() => pair.execute(state, [connection])).toEqual([{ state: 'idle in transaction' }]);
    const refused = await create(pair.url(0), key);
    expect([refused.code, refused.wait]).toEqual(['CONFLICT', 1]);
    await expect.poll(async () => (await create(pair.url(1), key)).code).toBeNull();
    expect(await count()).toBe(before + 1);
  });

  it('happens once however many send it at once to both, and each is told the same in the end', async () => {
    const before = await count();
    const insist = async (index: number) => {
      for (;;) {
        const answer = await create(pair.url(index), `race-${face}`);
        if (answer.code === null) return answer;
        expect(['CONFLICT', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']).toContain(answer.code);
        await sleep(50);
      }
    };
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => insist(index)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => null));
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it('is refused with another body, while the first is kept and for 24 hours', async () => {
    await create(pair.url(0), `kept-${face}`);
    expect((await create(pair.url(1), `kept-${face}`, 'Twice')).code).toBe('IDEMPOTENCY_MISMATCH');
    const age = (hours: number) =>
      pair.execute('update idempotency_key set created_at = now() - make_interval(hours => ?)', [hours]);
    await age(23);
    expect((await create(pair.url(1), `kept-${face}`)).replayed).toBe('true');
    await age(25);
    expect(await create(pair.url(1), `kept-${face}`, 'Twice')).toMatchObject({ code: null, replayed: null });
  });
});

it('several mutations under one key whose process dies between them leave nothing, and the retry makes all', async () => {
  const made = async (name: string) => {
    const { body } = await send<{ id: string }>({ url: pair.url(0) }, manager, 'POST /events', {
      ...{ name, ...future, status: 1 },
    });
    return body.id;
  };
  const [first, second] = [await made('First'), await made('Second')];
  const document = `mutation {
    one: updateEvent(input: {id: "${first}", location: "Moved"}) { event { version location } }
    two: subscribeToEvent(input: {eventId: "${first}"}) { eventSubscription { status } event { acceptedCount } }
    three: updateEvent(input: {id: "${second}", location: "Moved"}) { event { version location } }
    four: createEvent(input: {name: "Fourth", dateStart: "${future.date_start}", dateEnd: "${future.date_end}"}) { event { name } }
  }`;
  const run = (url: string) => graphql({ url }, manager, document, undefined, { 'idempotency-key': 'several' });
  /** Everything that the four write. */
  const traces = () =>
    pair.execute(
      `select (select count(*)::int from event) as events, (select sum(version)::int from event) as versions,
        (select count(*)::int from subscription) as subscriptions, (select count(*)::int from subscription_change) as changes,
        (select count(*)::int from audit_entry) as trail, (select count(*)::int from event_change_notice) as notices,
        (select count(*)::int from job where lane ~ 'mails') as mails, (select count(*)::int from idempotency_key) as keys`,
    );
  const before = await traces();
  const doomed = await pair.another({});
  // the third one waits for this row, the others before it done
  const em = await holding(pair, 'select from event where id = ? for update', [second]);
  const lost = run(doomed.url).catch(() => null);
  await untilLocked(pair);
  await doomed.kill();
  await em.rollback();
  expect(await lost).toBeNull();
  await expect
    .poll(async () => (await run(pair.url(1))).errors?.[0]?.extensions.code ?? null, { timeout: 30_000 })
    .toBeNull();

  const again = await run(pair.url(0));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.data).toEqual({
    one: { event: { version: 2, location: 'Moved' } },
    two: { eventSubscription: { status: 'ACCEPTED' }, event: { acceptedCount: 1 } },
    three: { event: { version: 2, location: 'Moved' } },
    four: { event: { name: 'Fourth' } },
  });
  const [old, now] = [before[0], (await traces())[0]] as [Record<string, number>, Record<string, number>];
  const more = Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (old[name] ?? 0)]));
  // two events are one more version each, and the new one is its first
  expect(more).toMatchObject({ events: 1, versions: 3, subscriptions: 1, changes: 1, trail: 3, notices: 2, keys: 1 });
});
