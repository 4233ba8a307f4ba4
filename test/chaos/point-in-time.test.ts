import { randomUUIDv7 } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stopServer } from '../../packages/embedded-postgres/src/postmaster.ts';
import { changesPage } from '../support/changes.ts';
import { startChildService } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { ask as askAt } from '../support/database.ts';
import { restoreCommands, runBlock } from '../support/operation-guide.ts';
import { startReceiver } from '../support/receiver.ts';
import { copyCluster, crash, giveAway, restartCluster, startCluster, urlIn } from '../support/replication.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { createKey, isAccepted, refreshWith, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { allowLoopback, createWebhook, messageOf, messagesOf } from '../support/webhooks.ts';
import { addMember } from './writers.ts';

/** The commands of the guide that put a backup back, with the backup and the time that they name. */
function guide() {
  const [restoring = ''] = restoreCommands('To a time');
  const [backup = ''] = /\/backups\/\S+/.exec(restoring) ?? [];
  const [, targetTime = ''] = /recovery_target_time = '(.+)'/.exec(restoring) ?? [];
  return { restoring, backup, targetTime };
}

/** A database of which a base backup was taken and all its log is archived. */
async function startArchivedDatabase() {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-restore-'));
  await chmod(dir, 0o755);
  const at = (name: string) => path.join(dir, name);
  const archive = at('archive');
  const data = at('primary/postgres/data');
  await mkdir(archive);
  // PostgreSQL may run as another user
  await chmod(archive, 0o777);
  let cluster = await startCluster(at('primary'), {
    shared_buffers: '32MB',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  let url = await urlIn(cluster);
  const ask = async (statement: string) => await askAt(await urlIn(cluster, 'postgres', 'postgres'), statement);
  await copyCluster(cluster, at('primary'), at('copy'));
  let time = '';
  return {
    /** Where it is now: a restored one listens elsewhere. */
    get url() {
      return url;
    },
    /** A folder for what belongs to the test. */
    dir,
    /** Notes the time that is restored. */
    noteTime: async () => {
      await sleep(200);
      time = String((await ask('select clock_timestamp()::text as time'))[0]?.time);
      await sleep(200);
    },
    /** Kills the server, deletes its files, and recovers the backup to the time that was noted. */
    destroyAndRestore: async () => {
      const [row] = await ask('select pg_walfile_name(pg_switch_wal()) as segment');
      const archived = `select last_archived_wal >= '${row?.segment}' as is from pg_stat_archiver`;
      while (!(await ask(archived))[0]?.is) await sleep(50);
      await crash(cluster);
      await rm(data, { recursive: true });

      const { restoring, backup, targetTime } = guide();
      await mkdir(path.dirname(at(backup)), { recursive: true });
      await rename(at('copy/postgres/data'), at(backup));
      const places = { [backup]: at(backup), '/archive': archive, [targetTime]: time };
      await runBlock(restoring, places, { PGDATA: data });
      await giveAway(data);
      cluster = await restartCluster(at('primary'));
      while ((await ask('select pg_is_in_recovery() as is'))[0]?.is) await sleep(50);
      url = await urlIn(cluster);
    },
    close: async () => {
      await stopServer(cluster);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

// What a restore to an earlier time does to those who know more (docs/operate/backup-and-restore.md).

let isReceiverUp = true;
let upSince = 0;
const database = await shared(startArchivedDatabase());
const receiver = await shared(startReceiver((response) => void response.writeHead(isReceiverUp ? 204 : 503).end()));
const start = () =>
  shared(
    startChildService({ DATABASE_URL: database.url, DATA_DIR: database.dir, RATE_LIMIT: 'off', ...allowLoopback }),
  );
const member = await addMember(database.url);
let service = await start();
const owner = { ...member, ...(await signIn(service.url, member.email)), userId: member.id, membershipId: '' };
/** The ids of the messages that were acknowledged. */
const delivered = () =>
  receiver.received.filter(({ at }) => at >= upSince).map(({ headers }) => String(headers['webhook-id']));

const key = randomUUIDv7();
const future = { date_start: '2127-05-05T17:00:00Z', date_end: '2127-05-05T19:00:00Z' };

async function create(name: string, headers: Record<string, string> = {}) {
  const fields = { ...future, name, status: 1, visibility: 'public' };
  const made = await send<{ id: string }>(service, owner, 'POST /events', fields, headers);
  expect(made.status, made.text).toBe(201);
  return made;
}

async function names(): Promise<string[]> {
  const { body } = await send<{ items: { name: string }[] }>(service, owner, 'GET /events');
  return body.items.map(({ name }) => name).sort();
}

/** Everything behind a cursor of the log, and the cursor at its end. */
async function follow(token: string) {
  const { status, body, text } = await changesPage(service, owner, token === '' ? 'since=start' : `token=${token}`);
  expect([status, body.has_more], text).toEqual([200, false]);
  return body;
}

const publicList = (tag = '') =>
  fetch(`${service.url}/public/events`, {
    headers: { 'x-organization-id': owner.organizationId, ...(tag ? { 'if-none-match': tag } : {}) },
  });
const tagOf = async () => String((await publicList()).headers.get('etag'));

await createWebhook(service, owner, { url: receiver.url });
for (const name of ['One', 'Two', 'Three']) await create(name);
await messagesOf(receiver, 3);
/** What clients have at the time that is restored. */
const before = {
  list: (await send<{ next: string }>(service, owner, 'GET /events?limit=1')).body.next,
  changes: (await follow('')).next,
  tag: await tagOf(),
};
const kept = await createKey(service, owner, { name: 'Kept' });
const ended = await createKey(service, owner, { name: 'Ended later' });
isReceiverUp = false;
await create('Four');
await messagesOf(receiver, 4);

await database.noteTime();

isReceiverUp = true;
upSince = Date.now();
await messagesOf(receiver, 5, 20_000);
const lost = (await create('Five', { 'idempotency-key': key })).body.id;
const found = await send<{ items: { id: string }[] }>(service, owner, 'GET /events?where={"name":"one"}');
await send(service, owner, `PATCH /events/${found.body.items[0]?.id}`, { name: 'One, renamed' });
await messagesOf(receiver, 7);
const deliveredBefore = delivered();
/** What they have when all is lost. */
const after = {
  changes: (await follow('')).next,
  tag: await tagOf(),
  refreshed: (await refreshWith(service.url, owner.cookie)).headers.getSetCookie()[0]?.split(';')[0] as string,
  other: await signIn(service.url, owner.email),
};
expect((await send(service, owner, `DELETE /api-keys/${ended.id}`)).status).toBe(200);
const late = await createKey(service, owner, { name: 'Made later' });

await service.kill();
await database.destroyAndRestore();
const settled = await runCommand('admin', ['database', 'restored', '--json'], { DATABASE_URL: database.url });
expect(settled).toMatchObject({ code: 0, stderr: '' });
expect(JSON.parse(settled.stdout)).toEqual({ webhooks: 1, changes: 0 });
service = await start();

describe('after a restore to an earlier time', () => {
  it('the rows are those of that time', async () => {
    expect(await names()).toEqual(['Four', 'One', 'Three', 'Two']);
    expectCode(await send(service, owner, `GET /events/${lost}`), 404, 'NOT_FOUND');
  });

  it('a cursor of a list goes on', async () => {
    const { body } = await send<{ items: object[] }>(service, owner, `GET /events?token=${before.list}`);
    expect(body.items).toHaveLength(3);
  });

  it('cursors of the log from before that time go on, those from after it have expired, and no cache is confirmed', async () => {
    const { items, next } = await follow(before.changes);
    expect(items.map(({ op, kind }) => [op, kind])).toEqual([['created', 'event']]);
    const expired = await changesPage(service, owner, `token=${after.changes}`);
    expectCode(expired, 410, 'CURSOR_EXPIRED');
    const document = 'query ($after: String) { changes(after: $after) { nodes { id } } }';
    const relay = await graphql(service, owner, document, { after: after.changes });
    expect(relay.errors?.[0]?.extensions.code).toBe('CURSOR_EXPIRED');

    // as many as were lost, and more: their numbers may come again; nor may a cache be told that a lost page is the latest
    const made: string[] = [];
    for (const name of ['Six', 'Seven', 'Eight', 'Nine']) {
      for (const tag of [before.tag, after.tag]) expect((await publicList(tag)).status).toBe(200);
      made.push((await create(name)).body.id);
    }
    expect((await follow(next)).items.map(({ object_id }) => object_id)).toEqual(made);
    expect((await follow(before.changes)).items).toHaveLength(5);
    expectCode(await changesPage(service, owner, `token=${after.changes}`), 410, 'CURSOR_EXPIRED');
  });

  it('webhooks send again what was delivered since, under the same id, and say that the lists have to be read', async () => {
    const [again] = deliveredBefore;
    const now = () => delivered().slice(deliveredBefore.length);
    await expect.poll(now).toContain(again);
    const messages = receiver.received.map(messageOf);
    const refetches = messages.filter(({ type }) => type.endsWith('.refetch'));
    expect(refetches.map(({ type }) => type).sort()).toEqual(['event.refetch', 'form.refetch', 'subscription.refetch']);
    // what was delivered before that time is not sent again
    const first = receiver.received.slice(0, 3).map(({ headers }) => headers['webhook-id']);
    expect(now().filter((id) => first.includes(id))).toEqual([]);
  });

  it('a session goes on with the token that it had then, and one that began later has ended', async () => {
    expect(await isAccepted(service.url, owner.accessToken)).toBe(true);
    expect(await isAccepted(service.url, after.other.accessToken)).toBe(false);
    const ahead = await refreshWith(service.url, after.refreshed);
    expect(ahead).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    // which is no theft: the session is still there
    expect((await refreshWith(service.url, owner.cookie)).status).toBe(200);
  });

  it('what was ended since is back, until it is ended again', async () => {
    const status = async (caller: { accessToken: string }) =>
      (await send(service, { ...caller, organizationId: owner.organizationId }, 'GET /events?limit=1')).status;
    expect(await status(kept)).toBe(200);
    expect(await status(late)).toBe(401);
    expect(await status(ended)).toBe(200);
    const { code } = await runCommand('admin', ['keys', 'end', ended.id, '--yes'], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    await expect.poll(() => status(ended)).toBe(401);
  });

  it('a lost write that its client repeats is made, once', async () => {
    const again = await create('Five', { 'idempotency-key': key });
    expect([again.body.id === lost, again.headers.get('idempotency-replayed')]).toEqual([false, null]);
    const replayed = await create('Five', { 'idempotency-key': key });
    expect(replayed.body.id).toBe(again.body.id);
  });
});
