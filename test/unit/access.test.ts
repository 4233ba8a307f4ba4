import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ListenClient, NotificationListener } from '#notified-cache';
import { bearerToken } from '../../src/domain/session/access.ts';
import { Access } from '../../src/domain/session/active-sessions.ts';
import type { Database } from '../../src/engine/database.ts';
import { onlyValue } from '../../src/http/incoming.ts';
import type { Log } from '../../src/kernel/request.ts';

/** A database in which sessions belong to a user, or do not exist; counts what it is asked. */
function sessionsOf(userId: string | null) {
  const rows = userId === null ? [] : [{ user_id: userId, organization_id: null, role: null }];
  return { rows: vi.fn(async () => rows) } as unknown as Database & { rows: ReturnType<typeof vi.fn> };
}

/** Whether a session is cached. */
async function has(access: Access, sessionId: string): Promise<boolean> {
  const db = sessionsOf('somebody else');
  await access.findSession(db, sessionId);
  return db.rows.mock.calls.length === 0;
}

function enabled(): Access {
  const access = new Access();
  access.enable();
  return access;
}

describe('Access', () => {
  it('caches a session, and the absence of one', async () => {
    const access = enabled();
    const ada = await access.findSession(sessionsOf('ada'), 's1');
    expect(ada?.userId).toBe('ada');
    expect(await access.findSession(sessionsOf(null), 's2')).toBeNull();
    const db = sessionsOf('bob');
    expect(await access.findSession(db, 's1')).toBe(ada);
    expect(await access.findSession(db, 's2')).toBeNull();
    expect(db.rows).not.toHaveBeenCalled();
    expect((await access.findSession(db, 's3'))?.userId).toBe('bob');
  });

  it('remembers nothing before it is enabled and after it is disabled', async () => {
    const access = new Access();
    await access.findSession(sessionsOf('ada'), 's1');
    expect(await has(access, 's1')).toBe(false);
    access.enable();
    await access.findSession(sessionsOf('ada'), 's1');
    expect(await has(access, 's1')).toBe(true);
    access.disable();
    expect(await has(access, 's1')).toBe(false);
    expect(await has(access, 's1')).toBe(false);
  });

  it('forgets a session, or every session of a user, and no other', async () => {
    const kept = async (forget: (access: Access) => void) => {
      const access = enabled();
      for (const [id, user] of owned) await access.findSession(sessionsOf(user), id);
      forget(access);
      return await hasEach(access);
    };
    const owned = [
      ['s1', 'ada'],
      ['s2', 'ada'],
      ['s3', 'bob'],
    ] as const;
    const hasEach = async (access: Access) => await Promise.all(owned.map(([id]) => has(access, id)));
    expect(await kept((access) => access.forgetSession('s1'))).toEqual([false, true, true]);
    expect(await kept((access) => access.forgetUser('ada'))).toEqual([false, false, true]);
    expect(await kept((access) => access.clear())).toEqual([false, false, false]);
  });

  it.each<[string, (access: Access) => void]>([
    ['a session was forgotten', (access) => access.forgetSession('s1')],
    ['its user was forgotten', (access) => access.forgetUser('ada')],
    ['everything was forgotten', (access) => access.clear()],
    [
      'the connection was lost and came back',
      (access) => {
        access.disable();
        access.enable();
      },
    ],
  ])('does not take in what was read before %s', async (_name, change) => {
    const access = enabled();
    const reading = access.findSession(sessionsOf('ada'), 's1');
    change(access);
    await reading;
    expect(await has(access, 's1')).toBe(false);
  });

  it('forgets by itself after five seconds, however often it is asked', async () => {
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const access = enabled();
    await access.findSession(sessionsOf('ada'), 's1');
    const pass = async (milliseconds: number) => {
      now += milliseconds;
      // the cache looks at the clock once a millisecond
      await sleep(10);
    };
    await pass(4_900);
    expect(await has(access, 's1')).toBe(true);
    await pass(200);
    expect(await has(access, 's1')).toBe(false);
  });

  it('keeps ten thousand', async () => {
    // whatever time a slow machine takes to read them
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const access = enabled();
    for (let n = 0; n < 10_001; n += 1) await access.findSession(sessionsOf('ada'), `s${n}`);
    expect(await has(access, 's1')).toBe(true);
    expect(await has(access, 's10000')).toBe(true);
    expect(await has(access, 's0')).toBe(false);
  });
});

class FakeClient extends EventEmitter implements ListenClient {
  readonly query = vi.fn(async (_statement: string): Promise<unknown> => undefined);
  readonly release = vi.fn((_destroy: boolean): void => undefined);
  notify(payload: string, channel = 'access_changed') {
    this.emit('notification', { channel, payload });
  }
}

describe('its listener', () => {
  const listeners: NotificationListener[] = [];
  afterEach(() => Promise.all(listeners.splice(0).map((each) => each.stop())));

  /** Listens on a database where whoever has opened a connection hears what is told, unless `deaf` says otherwise. */
  function listen(
    open: () => Promise<ListenClient>,
    { deaf = (): boolean => false, log = undefined as Log | undefined } = {},
  ) {
    const opened: ListenClient[] = [];
    const cache = new Access();
    const listener = new NotificationListener(cache, { channel: 'access_changed', subject: 'access', patience: 200 });
    listeners.push(listener);
    const feed = {
      open: async () => {
        const client = await open();
        opened.push(client);
        return client;
      },
      notify: async (channel: string, payload: string) => {
        for (const client of opened) if (client instanceof FakeClient && !deaf()) client.notify(payload, channel);
      },
    };
    return { cache, listener, started: listener.start(feed, log) };
  }

  const works = async (cache: Access) => {
    await cache.findSession(sessionsOf('probe'), 'probe');
    return await has(cache, 'probe');
  };

  it.each([
    ['{"session":"s1"}', [false, true, true]],
    ['{"user":"ada","organization":"o1"}', [false, false, true]],
    ['{"all":true}', [false, false, false]],
    ['{}', [false, false, false]],
    ['null', [false, false, false]],
    ['no JSON', [false, false, false]],
    ['', [false, false, false]],
  ])('forgets what %s names, and everything where it names nothing', async (payload, left) => {
    const client = new FakeClient();
    const { cache, started } = listen(async () => client);
    await started;
    expect(client.query).toHaveBeenCalledExactlyOnceWith('listen access_changed');
    for (const [id, user] of [
      ['s1', 'ada'],
      ['s2', 'ada'],
      ['s3', 'bob'],
    ] as const) {
      await cache.findSession(sessionsOf(user), id);
    }
    const known = async () => await Promise.all(['s1', 's2', 's3'].map((id) => has(cache, id)));
    client.notify(payload, 'another channel');
    expect(await known()).toEqual([true, true, true]);
    client.notify(payload);
    expect(await known()).toEqual(left);
  });

  it('enables the cache only once it listens', async () => {
    const client = new FakeClient();
    let listening = () => {};
    client.query.mockImplementation(() => new Promise<void>((resolve) => (listening = resolve)));
    const { cache, started } = listen(async () => client);
    await expect.poll(() => client.query).toHaveBeenCalled();
    expect(await works(cache)).toBe(false);
    listening();
    await started;
    expect(await works(cache)).toBe(true);
  });

  it.each(['error', 'end'])('disables the cache on %s, and opens another connection', async (event) => {
    const clients = [new FakeClient(), new FakeClient()];
    const [first, second] = clients;
    const { cache, started } = listen(async () => clients.shift() as FakeClient);
    await started;
    expect(await works(cache)).toBe(true);
    first?.emit(event, new Error('lost'));
    first?.emit('end');
    expect(await works(cache)).toBe(false);
    expect(first?.release).toHaveBeenCalledExactlyOnceWith(true);
    await vi.waitFor(async () => expect(await works(cache)).toBe(true), { timeout: 2_000 });
    expect(second?.release).not.toHaveBeenCalled();
  });

  it('caches nothing while it does not receive its own notification, and warns once', async () => {
    let deaf = true;
    const clients: FakeClient[] = [];
    const open = async () => {
      clients.push(new FakeClient());
      return clients.at(-1) as FakeClient;
    };
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { cache, started } = listen(open, { deaf: () => deaf, log });
    await started;
    expect(await works(cache)).toBe(false);
    expect(clients[0]?.release).toHaveBeenCalledExactlyOnceWith(true);
    await vi.waitFor(() => expect(clients.length).toBe(3), { timeout: 5_000 });
    expect(await works(cache)).toBe(false);
    expect(log.warn).toHaveBeenCalledOnce();
    deaf = false;
    await vi.waitFor(async () => expect(await works(cache)).toBe(true), { timeout: 5_000 });
    expect(log.info).toHaveBeenCalledOnce();
    // the same after a connection that worked was lost
    deaf = true;
    clients.at(-1)?.emit('end');
    await vi.waitFor(() => expect(clients.at(-1)?.release).toHaveBeenCalled(), { timeout: 5_000 });
    expect(await works(cache)).toBe(false);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });

  it('forgets nothing because of the test of another process', async () => {
    const client = new FakeClient();
    const { cache, started } = listen(async () => client);
    await started;
    await cache.findSession(sessionsOf('ada'), 's1');
    client.notify('{"probe":"of another"}');
    expect(await has(cache, 's1')).toBe(true);
  });

  it('stops at once while it waits to hear itself', async () => {
    const client = new FakeClient();
    const { listener } = listen(async () => client, { deaf: () => true });
    await expect.poll(() => client.query).toHaveBeenCalled();
    await listener.stop();
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('starts without a cache if the first attempt fails, and retries', async () => {
    const client = new FakeClient();
    const open = vi.fn(async () => {
      if (open.mock.calls.length < 3) throw new Error('no database');
      return client;
    });
    const { cache, started } = listen(open);
    await started;
    expect(await works(cache)).toBe(false);
    await vi.waitFor(async () => expect(await works(cache)).toBe(true), { timeout: 2_000 });
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('gives up a connection that is lost while it is set up', async () => {
    const client = new FakeClient();
    client.query.mockImplementationOnce(async () => void client.emit('end'));
    const { cache, started } = listen(async () => client);
    await started;
    expect(await works(cache)).toBe(false);
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('stops for good: the connection is released, the cache off, and nothing is opened again', async () => {
    const client = new FakeClient();
    const open = vi.fn(async () => client);
    const { cache, listener, started } = listen(open);
    await started;
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await listener.stop();
    client.emit('end');
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
    expect(await works(cache)).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('releases a connection that opens while it stops', async () => {
    const client = new FakeClient();
    const opening = Promise.withResolvers<ListenClient>();
    const { cache, listener } = listen(() => opening.promise);
    const stopped = listener.stop();
    opening.resolve(client);
    await stopped;
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
    expect(await works(cache)).toBe(false);
  });
});

describe('bearerToken', () => {
  it.each([
    [['Bearer a.b.c'], 'a.b.c'],
    [['bearer a.b.c'], 'a.b.c'],
    [['BEARER  a.b.c'], 'a.b.c'],
    [undefined, null],
    [[], null],
    [[''], null],
    [['Bearer'], null],
    [['Bearer '], null],
    [['a.b.c'], null],
    [['Basic a.b.c'], null],
    [[`Bearer ${' '.repeat(3000)}a.b.c`], null],
    [['Bearera.b.c'], null],
    [['Bearer a.b.c d'], null],
    [['Bearer a.b.c, Bearer d.e.f'], null],
    [['Bearer\ta.b.c'], null],
    [['Bearer a.b.c', 'Bearer a.b.c'], null],
  ])('reads %j as %j', (header, token) => {
    expect(bearerToken(onlyValue(header))).toBe(token);
  });
});
