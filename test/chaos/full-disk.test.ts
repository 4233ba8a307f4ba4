import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import type { EmbeddedServer } from '#embedded-postgres';
import { withClient } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { startPostgres } from '../support/postgres.ts';
import { callerHeaders } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { addMember } from './writers.ts';

type SmallDisk = NonNullable<Awaited<ReturnType<typeof mountSmallDisk>>>;

const run = promisify(execFile);

/** Mounts a file system in memory, which a test can fill without harm to others; null where this process may not mount. */
async function mountSmallDisk(megabytes: number) {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', dir]);
  } catch {
    await rmdir(dir);
    return null;
  }
  const ballast = path.join(dir, 'ballast');
  return {
    dir,
    /** Takes all space that is left. */
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        for (const bytes of [1 << 20, 1 << 12]) await append(file, Buffer.alloc(bytes));
      } finally {
        await file.close();
      }
    },
    /** Gives back what `fill` took. */
    free: () => rm(ballast, { force: true }),
    close: async () => {
      await run('umount', ['--lazy', dir]);
      await rmdir(dir);
    },
  };
}

/** Appends until nothing more fits. */
async function append(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.write(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

let disk: SmallDisk | null;
let database: EmbeddedServer;
let service: ChildService;
let caller: { accessToken: string; organizationId: string };
/** The names of the events that were acknowledged. */
const acknowledged: string[] = [];

beforeAll(async () => {
  disk = await mountSmallDisk(256);
  if (!disk) return;
  const serverSettings = { shared_buffers: '32MB', max_wal_size: '64MB', min_wal_size: '32MB' };
  database = await startPostgres({ dataDir: disk.dir, serverSettings });
  await migrate(database.url);
  const { email, organizationId } = await addMember(database.url, 'manager');
  service = await startChildService({ DATABASE_URL: database.url, DATA_DIR: disk.dir, RATE_LIMIT: 'off' });
  caller = { accessToken: (await signIn(service.url, email)).accessToken, organizationId };
});
afterAll(async () => {
  await disk?.free();
  await service?.kill();
  await database?.stop();
  await disk?.close();
});

function smallDisk({ skip }: TestContext): SmallDisk {
  return disk ?? skip('This process may not mount a file system, so no disk was filled.');
}

interface Seen {
  status: number;
  code: string | null;
  /** Seconds, in the header or, of a mutation, beside the code. */
  retryAfter: number;
}

async function ask(path: string, body?: object): Promise<Seen> {
  const response = await fetch(`${service.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...callerHeaders(caller),
      'content-type': 'application/json',
      accept: path === '/graphql' ? 'application/graphql-response+json' : 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(15_000),
  });
  const answer = await response.json();
  const error = answer.errors?.[0]?.extensions;
  const retryAfter = Number(response.headers.get('retry-after') ?? error?.retry_after ?? 0);
  return { status: response.status, code: error?.code ?? answer.code ?? null, retryAfter };
}

const dates = { start: '2031-05-03T10:00:00Z', end: '2031-05-03T12:00:00Z' };
const description = 'x'.repeat(5_000);
const writes = {
  rest: (name: string) => ask('/events', { name, description, date_start: dates.start, date_end: dates.end }),
  graphql: (name: string) => {
    const input = { name, description, dateStart: dates.start, dateEnd: dates.end };
    const query = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }';
    return ask('/graphql', { query, variables: { input } });
  },
};
const faces = Object.keys(writes) as (keyof typeof writes)[];
const reads = [
  () => ask('/events?limit=100'),
  () => ask('/graphql', { query: '{ events(first: 100) { totalCount nodes { name } } }' }),
];
/** A mutation that began is 200 with `errors` (reference/graphql.md#errors). */
const refusals = { rest: [503], graphql: [200, 503] };

/** Writes once; what is not acknowledged must be refused clearly. */
async function write(face: keyof typeof writes): Promise<boolean> {
  const name = `Full ${crypto.randomUUID()}`;
  const seen = await writes[face](name);
  if (seen.code === null && seen.status < 300) {
    acknowledged.push(name);
    return true;
  }
  const status = expect.toBeOneOf(refusals[face]);
  expect(seen, face).toEqual({ status, code: 'SERVICE_UNAVAILABLE', retryAfter: 2 });
  return false;
}

/** Writes on a face until that is refused, or acknowledged. */
async function until(face: keyof typeof writes, taken: boolean, patience: number): Promise<void> {
  const end = performance.now() + patience;
  while ((await write(face)) !== taken) {
    if (performance.now() > end) throw new Error(`${face}: writes were never ${taken ? 'taken' : 'refused'}`);
    await sleep(taken ? 50 : 0);
  }
}

/** Events are there once, with their entries in the audit trail and the log of changes, and nothing but them. */
async function expectAllThere(): Promise<void> {
  const { rows } = await withClient(database.url, (client) =>
    client.query(
      `select e.name, (select count(*)::int from audit_entry a where a.subject_id = e.id) as audits,
        (select count(*)::int from change c where c.object_id = e.id) as changes from event e where e.name like 'Full %'`,
    ),
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...acknowledged].sort());
  for (const { audits, changes } of rows) expect([audits, changes]).toEqual([1, 1]);
}

it('without space, writes are refused clearly and reads go on; with it, writes are taken', async (context) => {
  const { fill, free } = smallDisk(context);
  for (const face of faces) await until(face, true, 5_000);
  await fill();
  for (const face of faces) await until(face, false, 20_000);
  for (const read of reads) expect(await read()).toMatchObject({ status: 200, code: null });
  await free();
  for (const face of faces) await until(face, true, 5_000);
  await expectAllThere();
});

it('a server that ended since its log has no space is served again when there is some', async (context) => {
  const { fill, free } = smallDisk(context);
  await fill();
  // the next segment of the log does not fit, which PostgreSQL does not survive
  await withClient(database.superuserUrl, async (client) => {
    for (;;) await client.query(`select pg_switch_wal(), pg_logical_emit_message(true, 'a', 'b')`);
  }).catch(() => undefined);
  const down = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 2 };
  for (const face of faces) expect(await write(face)).toBe(false);
  for (const read of reads) expect(await read()).toEqual(down);
  // long enough for several starts that fail
  await sleep(8_000);
  for (const face of faces) expect(await write(face)).toBe(false);
  await free();
  for (const face of faces) await until(face, true, 5_000);
  await expectAllThere();
});
