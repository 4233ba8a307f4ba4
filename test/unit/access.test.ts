import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionAccess } from '../../src/domain/session/access.read.ts';
import { bearerToken } from '../../src/domain/session/access.ts';
import { AccessCache } from '../../src/domain/session/access-cache.ts';
import { AccessListener, type ListenClient } from '../../src/domain/session/access-listener.ts';
import type { Log } from '../../src/kernel/request.ts';

const session = (userId: string): SessionAccess => ({ userId, roles: new Map(), complete: true });

function enabledCache(maxAge = 5_000, maxEntries = 100): AccessCache {
  const cache = new AccessCache(maxAge, maxEntries);
  cache.enable();
  return cache;
}

describe('AccessCache', () => {
  it('caches a session, and the absence of one', () => {
    const cache = enabledCache();
    const ada = session('ada');
    cache.set('s1', ada, cache.generation);
    cache.set('s2', null, cache.generation);
    expect(cache.get('s1')).toBe(ada);
    expect(cache.get('s2')).toBeNull();
    expect(cache.get('s3')).toBeUndefined();
  });

  it('remembers nothing before it is enabled and after it is disabled', () => {
    const cache = new AccessCache(5_000, 100);
    cache.set('s1', session('ada'), cache.generation);
    expect(cache.get('s1')).toBeUndefined();
    cache.enable();
    cache.set('s1', session('ada'), cache.generation);
    expect(cache.get('s1')).toBeDefined();
    cache.disable();
    expect(cache.get('s1')).toBeUndefined();
    cache.set('s1', session('ada'), cache.generation);
    expect(cache.get('s1')).toBeUndefined();
  });

  it('forgets a session, or every session of a user, and no other', () => {
    const cache = enabledCache();
    for (const [id, user] of [
      ['s1', 'ada'],
      ['s2', 'ada'],
      ['s3', 'ada'],
      ['s4', 'bob'],
    ] as const) {
      cache.set(id, session(user), cache.generation);
    }
    cache.forgetSession('s1');
    expect([1, 2, 3, 4].map((n) => cache.get(`s${n}`) !== undefined)).toEqual([false, true, true, true]);
    cache.forgetUser('ada');
    expect([1, 2, 3, 4].map((n) => cache.get(`s${n}`) !== undefined)).toEqual([false, false, false, true]);
  });

  it.each<[string, (cache: AccessCache) => void]>([
    ['a session was forgotten', (cache) => cache.forgetSession('s1')],
    ['its user was forgotten', (cache) => cache.forgetUser('ada')],
    ['everything was forgotten', (cache) => cache.clear()],
    [
      'the connection was lost and came back',
      (cache) => {
        cache.disable();
        cache.enable();
      },
    ],
  ])('does not take in what was read before %s', (_name, change) => {
    const cache = enabledCache();
    const { generation } = cache;
    change(cache);
    cache.set('s1', session('ada'), generation);
    expect(cache.get('s1')).toBeUndefined();
  });

  it('forgets by itself after a while', async () => {
    const cache = enabledCache(1_000);
    cache.set('s1', session('ada'), cache.generation);
    expect(cache.get('s1')).toBeDefined();
    await expect.poll(() => cache.get('s1')).toBeUndefined();
  });

  it('evicts the oldest entry when it is full', () => {
    const cache = enabledCache(5_000, 3);
    for (let n = 1; n <= 5; n += 1) cache.set(`s${n}`, session('ada'), cache.generation);
    expect([1, 2, 3, 4, 5].map((n) => cache.get(`s${n}`) !== undefined)).toEqual([false, false, true, true, true]);
    cache.forgetUser('ada');
    expect([3, 4, 5].map((n) => cache.get(`s${n}`))).toEqual([undefined, undefined, undefined]);
  });
});

class FakeClient extends EventEmitter implements ListenClient {
  readonly query = vi.fn(async (_statement: string): Promise<unknown> => undefined);
  readonly release = vi.fn((_destroy: boolean): void => undefined);
  notify(payload: string, channel = 'access_changed') {
    this.emit('notification', { channel, payload });
  }
}

describe('AccessListener', () => {
  const listeners: AccessListener[] = [];
  afterEach(() => Promise.all(listeners.splice(0).map((each) => each.stop())));

  /** Listens on a database where whoever has opened a connection hears what is told, unless `deaf` says otherwise. */
  function listen(
    open: () => Promise<ListenClient>,
    { deaf = (): boolean => false, log = undefined as Log | undefined } = {},
  ) {
    const opened: ListenClient[] = [];
    const cache = new AccessCache(5_000, 100);
    const listener = new AccessListener(cache, 200);
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

  const works = (cache: AccessCache) => {
    cache.set('probe', session('probe'), cache.generation);
    return cache.get('probe') !== undefined;
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
      cache.set(id, session(user), cache.generation);
    }
    client.notify(payload, 'another channel');
    expect(['s1', 's2', 's3'].map((id) => cache.get(id) !== undefined)).toEqual([true, true, true]);
    client.notify(payload);
    expect(['s1', 's2', 's3'].map((id) => cache.get(id) !== undefined)).toEqual(left);
  });

  it('enables the cache only once it listens', async () => {
    const client = new FakeClient();
    let listening = () => {};
    client.query.mockImplementation(() => new Promise<void>((resolve) => (listening = resolve)));
    const { cache, started } = listen(async () => client);
    await expect.poll(() => client.query).toHaveBeenCalled();
    expect(works(cache)).toBe(false);
    listening();
    await started;
    expect(works(cache)).toBe(true);
  });

  it.each(['error', 'end'])('disables the cache on %s, and opens another connection', async (event) => {
    const clients = [new FakeClient(), new FakeClient()];
    const [first, second] = clients;
    const { cache, started } = listen(async () => clients.shift() as FakeClient);
    await started;
    expect(works(cache)).toBe(true);
    first?.emit(event, new Error('lost'));
    first?.emit('end');
    expect(works(cache)).toBe(false);
    expect(first?.release).toHaveBeenCalledExactlyOnceWith(true);
    await vi.waitFor(() => expect(works(cache)).toBe(true), { timeout: 2_000 });
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
    expect(works(cache)).toBe(false);
    expect(clients[0]?.release).toHaveBeenCalledExactlyOnceWith(true);
    await vi.waitFor(() => expect(clients.length).toBe(3), { timeout: 5_000 });
    expect(works(cache)).toBe(false);
    expect(log.warn).toHaveBeenCalledOnce();
    deaf = false;
    await vi.waitFor(() => expect(works(cache)).toBe(true), { timeout: 5_000 });
    expect(log.info).toHaveBeenCalledOnce();
    // the same after a connection that worked was lost
    deaf = true;
    clients.at(-1)?.emit('end');
    await vi.waitFor(() => expect(clients.at(-1)?.release).toHaveBeenCalled(), { timeout: 5_000 });
    expect(works(cache)).toBe(false);
    expect(log.warn).toHaveBeenCalledTimes(2);
  });

  it('forgets nothing because of the test of another process', async () => {
    const client = new FakeClient();
    const { cache, started } = listen(async () => client);
    await started;
    cache.set('s1', session('ada'), cache.generation);
    client.notify('{"probe":"of another"}');
    expect(cache.get('s1')).toBeDefined();
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
    expect(works(cache)).toBe(false);
    await vi.waitFor(() => expect(works(cache)).toBe(true), { timeout: 2_000 });
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('gives up a connection that is lost while it is set up', async () => {
    const client = new FakeClient();
    client.query.mockImplementationOnce(async () => void client.emit('end'));
    const { cache, started } = listen(async () => client);
    await started;
    expect(works(cache)).toBe(false);
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('stops for good: the connection is released, the cache off, and nothing is opened again', async () => {
    const client = new FakeClient();
    const open = vi.fn(async () => client);
    const { cache, listener, started } = listen(open);
    await started;
    await listener.stop();
    client.emit('end');
    expect(client.release).toHaveBeenCalledExactlyOnceWith(true);
    expect(works(cache)).toBe(false);
    await sleep(250);
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
    expect(works(cache)).toBe(false);
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
    expect(bearerToken(header)).toBe(token);
  });
});
