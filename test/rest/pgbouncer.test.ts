import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrm, type Orm } from '../../src/db/orm.ts';
import { openStream } from '../support/changes.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { insertEvent, insertMember, insertSubscription } from '../support/fixtures.ts';
import { type Pooler, startPgbouncer } from '../support/installed-programs.ts';
import { ofThisDatabase } from '../support/locks.ts';
import { lacks } from '../support/programs.ts';
import { startedReceiver } from '../support/receiver.ts';
import { query, send } from '../support/send.ts';
import { isAccepted, refreshWith, type SignIn, signIn } from '../support/server.ts';
import { inTest, sharedFolder } from '../support/shared.ts';
import { type StartedService, secretSettings, startService } from '../support/started-service.ts';
import { allowLoopback } from '../support/webhooks.ts';

const secrets = secretSettings();
const dataDir = await sharedFolder();

describe.skipIf(lacks('pgbouncer'))('behind PgBouncer in transaction mode', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let pooler: Pooler;
  let orm: Orm;
  let pool: Pool;
  const running: (() => void)[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    pooler = await startPgbouncer(database.url);
    orm = await createOrm({ url: database.url });
    pool = await orm.driver.getConnection().getNativeClient();
    await pool.query(`alter database "${new URL(database.url).pathname.slice(1)}" set "TimeZone" = 'Asia/Tokyo'`);
  });
  afterAll(async () => {
    for (const kill of running.splice(0)) kill();
    await orm?.close(true);
    await pooler?.stop();
    await database?.drop();
  });

  /** One of several processes. */
  const start = (env: Record<string, string> = {}) =>
    startService(
      {
        NODE_ENV: 'test',
        DATABASE_URL: pooler.urlOf(database.url),
        DATABASE_POOLER: 'transaction-unnamed',
        DATABASE_DIRECT_URL: database.url,
        PUBLIC_URL: 'http://events.test',
        DATA_DIR: dataDir,
        ...secrets,
        ...allowLoopback,
        ...env,
      },
      (kill) => running.push(kill),
    );

  const advisoryLocks = async () =>
    (await pool.query(`select from pg_locks where locktype = 'advisory' and ${ofThisDatabase}`)).rowCount;

  describe('the service', () => {
    let services: [StartedService, StartedService];
    let manager: Awaited<ReturnType<typeof insertMember>>;
    let eventId: string;
    beforeAll(async () => {
      services = await Promise.all([start(), start()]);
      manager = await insertMember(orm, { role: 'manager' });
      const { organizationId } = manager;
      for (let index = 0; index < 60; index += 1) {
        const dateStart = new Date(Date.UTC(2026, 5, 1, 10, index, 0, 120));
        ({ id: eventId } = await insertEvent(orm, { organizationId, dateStart }));
      }
      await insertSubscription(orm, { eventId, userId: manager.id });
    });
    const callerOf = ({ accessToken }: SignIn) => ({ accessToken, organizationId: manager.organizationId });

    it('two replicas start at once on an empty database; one migrates', async () => {
      for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const { rows } = await pool.query('select name, count(*)::int as times from mikro_orm_migrations group by name');
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(({ times }) => times === 1)).toBe(true);
      expect(await advisoryLocks()).toBe(0);
    });

    it('answers lists, counts, pages and GraphQL, many at once, in UTC', async () => {
      const [one, other] = services;
      const caller = callerOf(await signIn(one.url, manager.email));
      const asked = Array.from({ length: 120 }, async (_, index) => {
        const server = index % 2 === 0 ? one : other;
        if (index % 4 < 2) {
          const fields = ['name', 'date_start', 'slug', 'status'].slice(index % 3).join('%20');
          const page = (query: string) =>
            send<{ length: number; next: string }>(server, caller, `GET /events?fields=${fields}&${query}`);
          const list = await page('limit=20');
          const next = await page(`limit=50&token=${list.body.next}`);
          const count = await send(server, caller, 'GET /events/count?where={"status":1}');
          return [list.status, list.body.length, next.body.length, count.body];
        }
        const data = await query<{ events: { totalCount: number; nodes: object[] } }>(
          server,
          caller,
          '{ events(last: 1) { totalCount nodes { dateStart subscriptions { nodes { createdAt user { email } } } } } }',
        );
        const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        const subscriptions = { nodes: [{ createdAt, user: { email: manager.email } }] };
        expect(data.events.nodes).toEqual([{ dateStart: '2026-06-01T10:59:00.120Z', subscriptions }]);
        return [200, 20, 40, data.events.totalCount];
      });
      expect(new Set((await Promise.all(asked)).map(String))).toEqual(new Set(['200,20,40,60']));
    });

    it('writes: profile, organizations, sessions', async () => {
      const [one, other] = services;
      const signedIn = await signIn(one.url, manager.email);
      const { accessToken } = signedIn;
      const changed = await send(one, { accessToken }, 'PATCH /auth/me', { name: 'By way of a pooler' });
      expect([changed.status, changed.body.name]).toEqual([200, 'By way of a pooler']);
      expect((await send(other, { accessToken }, 'GET /auth/me')).body.name).toBe('By way of a pooler');
      const made = await send(other, { accessToken }, 'POST /organizations', { name: 'Made here' });
      expect(made.status, made.text).toBe(201);
      const refreshed = await Promise.all(
        Array.from({ length: 12 }, (_, n) => refreshWith(services[n % 2]?.url as string, signedIn.cookie)),
      );
      expect(refreshed.map(({ status }) => status)).toEqual(Array(12).fill(200));
    });

    it('writes events, forms and subscriptions, once under a key, and shows, exports and publishes them', async () => {
      const [one, other] = services;
      const caller = callerOf(await signIn(one.url, manager.email));
      const [dateStart, dateEnd] = ['2031-05-01T10:00:00.120Z', '2031-05-01T12:00:00.000Z'];
      const event = { name: 'Ball', date_start: dateStart, date_end: dateEnd, status: 1, visibility: 'public' };
      const key = { 'idempotency-key': randomUUID() };
      const made = await send<{ id: string }>(one, caller, 'POST /events', event, key);
      expect(made.status, made.text).toBe(201);
      const again = await send(other, caller, 'POST /events', event, key);
      expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', made.text]);
      const path = `/events/${made.body.id}`;
      const questions = [{ key: 'dish', type: 'text', label: 'What do you bring?' }];
      const form = await send(other, caller, `PUT ${path}/form`, { questions });
      expect(form.status, form.text).toBe(200);
      const answers = { dish: 'A pie' };
      const subscribed = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          send(services[n % 2] as StartedService, caller, `POST ${path}/subscriptions`, { answers }),
        ),
      );
      expect(subscribed.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);

      const { organizationId } = caller;
      const guest = { name: 'Eve', email: `${randomUUID()}@example.org` };
      const asked = await send(one, { organizationId }, `POST /public${path}/subscriptions`, guest);
      expect(asked.text).toBe('true');
      const shown = await send<{ date_start: string }>(other, { organizationId }, `GET /public${path}`);
      expect(shown.body.date_start).toBe(dateStart);
      const { body } = await send<{ url: string }>(one, caller, 'POST /auth/calendar', {});
      const calendar = await send(other, {}, `GET ${new URL(body.url).pathname}`);
      expect(calendar.text).toContain('SUMMARY:Ball');
      const exports = services.map((each) => send(each, caller, 'GET /events/export?format=csv'));
      for (const { text } of await Promise.all(exports)) expect(text).toContain(`,${dateStart},${dateEnd},`);
      // what works in the background may be between two statements
      const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
      await expect.poll(async () => (await pool.query(open)).rowCount).toBe(0);
    });

    it('tells what changes by streams and webhooks, whichever replica wrote it', async () => {
      const [one, other] = services;
      const owner = await insertMember(orm, { role: 'owner' });
      const receiver = await startedReceiver();
      const { accessToken } = await signIn(one.url, owner.email);
      const caller = { accessToken, organizationId: owner.organizationId };
      const hook = await send(one, caller, 'POST /webhooks', { url: receiver.url });
      expect(hook.status, hook.text).toBe(201);
      const streams = await Promise.all(services.map((service) => openStream(service, caller, 'since=now')));
      await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'caught-up')));
      const names = Array.from({ length: 10 }, (_, index) => `Told ${index}`);
      const made = await Promise.all(
        names.map((name, index) =>
          send<{ id: string }>(index % 2 === 0 ? one : other, caller, 'POST /events', {
            ...{ name, date_start: '2031-05-01T10:00:00Z', date_end: '2031-05-01T12:00:00Z', status: 1 },
          }),
        ),
      );
      const ids = made.map(({ body }) => body.id).sort();
      for (const { events } of streams) {
        const told = () => events.filter(({ event }) => event === 'change').map(({ data }) => data.object_id);
        await expect.poll(() => told().sort()).toEqual(ids);
      }
      const delivered = () => receiver.received.map(({ text }) => JSON.parse(text).data.object_id).sort();
      await expect.poll(delivered).toEqual(ids);
    });
  });

  describe('the direct URL', () => {
    let services: [StartedService, StartedService];
    beforeAll(async () => {
      services = await Promise.all([start(), start()]);
    });

    it('is listened at, past the pooler, which tells of the end of a session at the other replica', async () => {
      const [one, other] = services;
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where query = 'listen access_changed' and datname = current_database()`,
      );
      // those of the other processes as well
      expect(rowCount).toBe(4);
      for (const service of services) expect(service.output()).not.toContain('cannot listen');
      const { email } = await insertMember(orm);
      const { accessToken, sessionId } = await signIn(one.url, email);
      expect(await isAccepted(other.url, accessToken)).toBe(true);
      await send(one, { accessToken }, `DELETE /auth/sessions/${sessionId}`);
      await expect.poll(() => isAccepted(other.url, accessToken), { timeout: 5_000 }).toBe(false);
    });

    it('does not start if the two URLs lead to different databases', async () => {
      const another = await inTest(createEmptyDatabase());
      const url = new URL(pooler.urlOf(database.url));
      url.pathname = new URL(another.url).pathname;
      const started = start({ DATABASE_URL: url.href });
      await expect(started).rejects.toThrow('DATABASE_DIRECT_URL and DATABASE_URL are different databases.');
    });

    it('does not keep a process from a gentle stop', async () => {
      for (const service of services) expect(await service.stop('SIGTERM')).toEqual([0, null]);
    });
  });
});
