import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  built,
  type Loading,
  openPool,
  PostgresDatabase,
  postgresServers,
  prepared,
  preparedStatements,
  type RequestLimits,
  readSnapshot,
  SessionClient,
  shaped,
  type Transaction,
  type Turn,
} from '../../src/index.ts';

const name = `access_${randomUUID().replaceAll('-', '')}`;
const urlOf = (database: string) => new URL(`/${database}`, inject('templateUrl')).href;
const server = openPool({ connectionString: urlOf('postgres'), max: 1 });
const primary = openPool({
  ...{ connectionString: urlOf(name), Client: SessionClient, pipeline: true },
  ...{ session: { statement_timeout: 20_000 }, writeTimeout: 9_000, max: 3 },
});

// cursors cannot be pipelined
const snapshots = openPool({ connectionString: urlOf(name), Client: SessionClient, max: 1 });

type Execute = (query: { sql: string; parameters: readonly unknown[] }) => Promise<unknown>;

/** What an ORM would be: it writes one book at a time. */
class Shelf {
  #title: string | null = null;
  #execute: Execute | null = null;

  fork(): this {
    return new Shelf() as this;
  }

  put(title: string): void {
    this.#title = title;
  }

  async flush(): Promise<void> {
    const title = this.#title;
    this.#title = null;
    if (title !== null) await this.#execute?.(addBook({ title }));
  }

  setTransactionContext({ executeQuery }: { executeQuery: Execute }): void {
    this.#execute = executeQuery;
  }

  resetTransactionContext(): void {
    this.#execute = null;
  }
}

const source = { em: new Shelf(), connections: { primary, replicas: null } };
const db = new PostgresDatabase(source);
const addBook = prepared((at: { title: string }) => sql`insert into book (title) values (${at.title}) returning title`);
// its table exists only here
preparedStatements.pop();
const titles = built(sql<{ title: string }>`select title from book order by title`);
const setting = (name: string) => built(sql<{ set: string }>`select current_setting(${name}) as set`);
const failing = built(sql`select 1 / 0`);

beforeAll(async () => {
  await server.query(`create database ${name}`);
  await primary.query('create table book (title text primary key)');
});
beforeEach(() => primary.query('truncate book'));
afterAll(async () => {
  await Promise.all([primary.end(), snapshots.end()]);
  // the backends may end later than the connections
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

/** A request, whose rows may have so many bytes, and its client, who can leave. */
function request(maxBytes: number) {
  const cancels = new Set<() => void>();
  const turns: Turn[] = [];
  const waits = {
    gone: null as Error | null,
    add: (cancel: () => void) => void cancels.add(cancel),
    delete: (cancel: () => void) => void cancels.delete(cancel),
  };
  const loading = (): Loading => {
    let refusal: Error | null = null;
    let bytes = 0;
    return {
      takes: (given) => {
        bytes += given;
        if (bytes > maxBytes) refusal ??= new Error('too much');
        return refusal === null;
      },
      get refusal() {
        return refusal;
      },
      added: () => undefined,
      end: () => undefined,
      drop: () => undefined,
    };
  };
  const limits: RequestLimits = {
    ...{ userId: 'ada', writer: 'ada', waits, usage: { beginStatement: () => null } },
    onTurn: (_pool, _work, start) => {
      const turn = { end: vi.fn() };
      turns.push(turn);
      start(turn);
    },
    load: loading,
    withRoom: (run) => run(),
    end: () => undefined,
  };
  const leave = () => {
    waits.gone = new Error('gone');
    for (const cancel of cancels) cancel();
  };
  return { db: new PostgresDatabase(source, limits), turns, cancels, leave };
}

describe('a transaction', () => {
  it('with a value that cannot be sent leaves its connection to take the same statement', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const put = (title: unknown) =>
      db.transaction((transaction) => transaction.row(addBook({ title: title as string })));
    for (const title of ['Emma', 'Dracula']) {
      expect(await put(title)).toEqual({ title });
      await expect(put(circular)).rejects.toThrow('circular');
    }
    expect(await put('Carmilla')).toEqual({ title: 'Carmilla' });
  });

  it('writes what it was given and, at the commit, the changes of its unit of work', async () => {
    const title = await db.transaction(async (transaction) => {
      transaction.em.put('Emma');
      await transaction.run(addBook({ title: 'Dracula' }));
      return await transaction.row(addBook({ title: 'Carmilla' }));
    });
    expect(title).toEqual({ title: 'Carmilla' });
    expect(await db.rows(titles)).toEqual([{ title: 'Carmilla' }, { title: 'Dracula' }, { title: 'Emma' }]);
  });

  it('sends the statement of its last flush before later ones, and waits for it at its end', async () => {
    const rename = (title: string, renamed: string) =>
      built(sql`update book set title = ${renamed} where title = ${title}`);
    const flushed = (transaction: Transaction<Shelf>, title: string) => {
      transaction.em.put(title);
      return transaction.flushLast();
    };
    await db.transaction(async (transaction) => {
      // an inner transaction is not the end: there may be another flush
      await transaction.transaction(() => flushed(transaction, 'Emma'));
      await flushed(transaction, 'Dracula');
      await transaction.run(rename('Dracula', 'Carmilla'));
    });
    expect(await db.rows(titles)).toEqual([{ title: 'Carmilla' }, { title: 'Emma' }]);
    const twice = db.transaction(async (transaction) => {
      await transaction.run(rename('Carmilla', 'Ulysses'));
      await flushed(transaction, 'Emma');
      await transaction.run(rename('Emma', 'Orlando'));
    });
    await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'book_pkey' });
    expect(await db.rows(titles)).toEqual([{ title: 'Carmilla' }, { title: 'Emma' }]);
    const changed = db.transaction(async (transaction) => {
      await flushed(transaction, 'Ulysses');
      transaction.em.put('Orlando');
    });
    await expect(changed).rejects.toThrow('has ended');
    expect(await db.rows(titles)).toContainEqual({ title: 'Ulysses' });
  });

  it('fails with the first error, even of a statement that nobody waited for, and writes nothing', async () => {
    const writing = db.transaction(async (transaction) => {
      await transaction.run(addBook({ title: 'Dracula' }));
      await transaction.run(failing);
      await transaction.rows(titles).catch(() => undefined);
    });
    await expect(writing).rejects.toMatchObject({ code: '22012' });
    expect(await db.rows(titles)).toEqual([]);
  });

  it('has settings of its own, which end with it', async () => {
    const inside = await db.transaction((transaction) => transaction.row(setting('statement_timeout')));
    expect([inside, await db.row(setting('statement_timeout'))]).toEqual([{ set: '9s' }, { set: '20s' }]);
  });

  it('runs again after a deadlock, if it is of a request', async () => {
    let attempts = 0;
    const deadlock = built(sql`do $$ begin raise exception sqlstate '40P01'; end $$`);
    const writing = request(1_000).db.transaction(async (transaction) => {
      attempts += 1;
      if (attempts < 3) await transaction.rows(deadlock);
    });
    await expect(writing).resolves.toBeUndefined();
    expect(attempts).toBe(3);
  });
});

describe('a statement of a request', () => {
  it('is cancelled when its client leaves, and gives its turn and its connection back', async () => {
    const asking = request(1_000);
    const answer = asking.db.rows(built(sql`select pg_sleep(15)`));
    await expect.poll(() => asking.cancels.size).toBe(1);
    asking.leave();
    await expect(answer).rejects.toThrow('gone');
    expect(asking.turns).toHaveLength(1);
    expect(asking.turns[0]?.end).toHaveBeenCalledOnce();
    expect(primary.idleCount).toBe(primary.totalCount);
    await expect(asking.db.rows(titles)).rejects.toThrow('gone');
  });

  it('fails if its rows are too large, as does its transaction, and its connection goes on', async () => {
    const rows = built(sql<{ long: string }>`select repeat('0', 800) as long from generate_series(1, 2)`);
    expect(await request(2_000).db.rows(rows)).toHaveLength(2);
    const { db: small } = request(1_000);
    await expect(small.rows(rows)).rejects.toThrow('too much');
    const caught = small.transaction((transaction) => transaction.rows(rows).catch(() => []));
    await expect(caught).rejects.toThrow('too much');
    expect(await small.rows(titles)).toEqual([]);
  });
});

describe('a text', () => {
  it('is prepared once by each connection, and a shape contains no values', async () => {
    const text = addBook({ title: '' });
    expect(text).toMatchObject({ parameters: [''], name: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(addBook({ title: 'Emma' })).toEqual({ ...text, parameters: ['Emma'] });
    expect(shaped('all', { title: 'Emma' }, (at) => sql`select ${at.title}`).parameters).toEqual(['Emma']);
    expect(() => shaped('one', { title: 'Emma' }, () => sql`select ${'Emma'}`)).toThrow(
      'a value is part of the shape one',
    );
  });

  it('of a URL may name several servers', () => {
    expect(postgresServers('postgres://ada:x@a:1,b:2/books?target_session_attrs=read-write')).toEqual({
      urls: ['a:1', 'b:2'].map((host) => `postgres://ada:x@${host}/books?target_session_attrs=read-write`),
      attributes: 'read-write',
    });
    expect(postgresServers('postgres://a/books')).toEqual({ urls: ['postgres://a/books'], attributes: null });
  });
});

describe('a snapshot', () => {
  const unbounded = { begun: () => () => undefined, admit: async () => undefined };

  it('shows one moment, in batches', async () => {
    for (const title of ['a', 'b', 'c']) await db.run(addBook({ title }));
    const found: string[][] = [];
    await readSnapshot(snapshots, unbounded, async (snapshot) => {
      for await (const rows of snapshot.batches(titles, 2)) {
        found.push(rows.map(({ title }) => title));
        await db.run(built(sql`delete from book`));
      }
    });
    expect(found).toEqual([['a', 'b'], ['c']]);
    expect(await db.rows(titles)).toEqual([]);
  });

  it('ends when it is told to, while PostgreSQL is still reading', async () => {
    let end: (why: Error) => void = () => undefined;
    const begun = (given: typeof end) => {
      end = given;
      return () => undefined;
    };
    const reading = readSnapshot(snapshots, { ...unbounded, begun }, async (snapshot) => {
      setImmediate(() => end(new Error('too slow')));
      await snapshot.rows(built(sql`select pg_sleep(15)`));
    });
    await expect(reading).rejects.toThrow('too slow');
  });
});
