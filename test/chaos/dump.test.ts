import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { changesPage } from '../support/changes.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { ask, connectTo } from '../support/database.ts';
import { dumpPath, dumpPrograms } from '../support/dump-programs.ts';
import { restoreCommands, runBlock } from '../support/operation-guide.ts';
import { startPostgres } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { callerHeaders, expectCode, send } from '../support/send.ts';
import { isAccepted, type Person, signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';
import { Journal, verify } from './journal.ts';
import { addMember, startWriters } from './writers.ts';

// A dump that is taken while events are written, and restored into a cluster that has seen fewer transactions
// (docs/operate/backup-and-restore.md).

const [dumping = '', restoring = ''] = restoreCommands('From a dump');
let dir: string;
let urls: { former: string; restored: string };
let service: ChildService;
let owner: Person;
/** What was acknowledged before the dump began, and all that was ever asked for. */
const journal = new Journal();
/** Cursors from the former cluster, by what they know. */
const cursors = { quiet: [] as string[], waiting: '', after: '' };
let printed = '';

const env = (url: string) => ({ DATABASE_URL: url, DATA_DIR: dir, RATE_LIMIT: 'off' });

async function startCluster(name: string): Promise<string> {
  // transactions of the server itself would be among those that a cursor waits for
  const serverSettings = { fsync: 'off', shared_buffers: '32MB', autovacuum: 'off' };
  return (await shared(startPostgres({ dataDir: path.join(dir, name), serverSettings }))).url;
}

async function readToEnd(token: string): Promise<{ next: string; ids: string[] }> {
  const ids: string[] = [];
  while (true) {
    const { status, body, text } = await changesPage(service, owner, token ? `token=${token}` : 'since=start');
    expect(status, text).toBe(200);
    ids.push(...body.items.map(({ id }) => id));
    token = body.next;
    if (!body.has_more) return { next: token, ids };
  }
}

async function create(name: string): Promise<string> {
  const fields = { name, date_start: '2127-05-05T17:00:00Z', date_end: '2127-05-05T19:00:00Z' };
  const made = await send<{ id: string }>(service, owner, 'POST /events', fields);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** A cursor that waits for a change, which is committed afterwards. */
async function takeWaiting(): Promise<string> {
  const open = await connectTo(urls.former);
  try {
    await open.query('begin');
    await open.query(
      `insert into change (organization_id, x, id, kind, op, object_id, event_id, occurred_at)
        values ($1, pg_current_xact_id(), gen_random_uuid(), 'event', 'changed', $2, $2, now())`,
      [owner.organizationId, await create('Held')],
    );
    await create('Above it');
    const { next } = await readToEnd('');
    await open.query('commit');
    return next;
  } finally {
    await open.end();
  }
}

async function prepare(): Promise<void> {
  // before the clusters in it, so that it outlives them
  dir = await sharedFolder();
  urls = { former: await startCluster('former'), restored: await startCluster('restored') };
  await migrate(urls.former);
  await ask(urls.former, 'do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$');
  const member = await addMember(urls.former);
  service = await shared(startChildService(env(urls.former)));
  owner = { ...member, ...(await signIn(service.url, member.email)), userId: member.id, membershipId: '' };
  cursors.waiting = await takeWaiting();
  for (let count = 0; count < 10; count += 1) {
    cursors.quiet.push((await readToEnd('')).next);
    await sleep(50);
  }
}

const skipped = lacks('pg_dump', dumpPrograms);
beforeAll(async () => {
  if (skipped) return;
  await prepare();
  const known = new Journal();
  const headers = callerHeaders(owner);
  const writers = startWriters(known, service.url, () => headers);
  while (known.events.size <= 20) await sleep(20);
  for (const [id, event] of known.events) journal.events.set(id, { ...event });
  await runBlock(dumping, { '/backups': dir }, { PATH: dumpPath, OWNER: urls.former });
  const atEnd = known.events.size;
  while (known.events.size <= atEnd + 5) await sleep(20);
  await writers.stop();
  for (const name of known.asked) journal.asked.add(name);
  expect(known.strange).toEqual([]);
  cursors.after = (await readToEnd('')).next;
  await ask(urls.former, `insert into last_write select id, 'FFFF/0', now() from "user"`);
  await service.kill();
  printed = await runBlock(restoring, { '/backups': dir }, { PATH: dumpPath, NEW_DATABASE_URL: urls.restored });
  service = await shared(startChildService(env(urls.restored)));
});

describe.skipIf(skipped)('a dump that was taken while events were written', () => {
  it('has all that was acknowledged before it, each change whole', async () => {
    expect(await verify(journal, urls.restored)).toEqual([]);
    expect(await isAccepted(service.url, owner.accessToken)).toBe(true);
  });

  it('has changes of transactions that the other cluster has yet to reach', () => {
    const [, changes] = /; (\d+) changes came from another cluster\.$/.exec(printed.trim()) ?? [];
    expect(Number(changes)).toBeGreaterThan(20);
  });

  it('lets cursors go on that waited for nothing, and tells of everything since', async () => {
    const all = (await readToEnd('')).ids;
    const outcomes: string[][] = [];
    for (const token of cursors.quiet) {
      if ((await changesPage(service, owner, `token=${token}`)).status === 200)
        outcomes.push((await readToEnd(token)).ids);
    }
    // any of them may wait for a transaction of a job
    expect(outcomes.length).toBeGreaterThan(0);
    for (const ids of outcomes) expect(ids).toEqual(all.slice(all.length - ids.length));
    expect(new Set(outcomes.map(({ length }) => length)).size).toBe(1);
  });

  it('ends cursors that waited for a change, and those that know more', async () => {
    for (const token of [cursors.waiting, cursors.after]) {
      expectCode(await changesPage(service, owner, `token=${token}`), 410, 'CURSOR_EXPIRED');
    }
  });

  it('goes on: what is written now is told once, after what is there', async () => {
    const { next } = await readToEnd('');
    const ids = [await create('Later'), await create('Latest')];
    const { body } = await changesPage(service, owner, `token=${next}`);
    expect(body.items.map(({ object_id }) => object_id)).toEqual(ids);
    expect((await readToEnd(body.next)).ids).toEqual([]);
  });

  it('keeps nobody from replicas by positions of the other log', async () => {
    expect(await ask(urls.restored, 'select from last_write')).toEqual([]);
  });
});
