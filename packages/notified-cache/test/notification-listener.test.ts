import { EventEmitter } from 'node:events';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { type ListenClient, NotificationListener } from '../src/index.ts';

type ListenerLog = NonNullable<Parameters<NotificationListener['start']>[1]>;

class Cache {
  works = false;
  readonly changed = vi.fn();
  enable() {
    this.works = true;
  }
  disable() {
    this.works = false;
  }
}

class FakeClient extends EventEmitter implements ListenClient {
  readonly query = vi.fn(async (_statement: string): Promise<unknown> => undefined);
  readonly release = vi.fn((_destroy: boolean): void => undefined);
  notify(payload: string, channel = 'mills') {
    this.emit('notification', { channel, payload });
  }
}

const listeners: NotificationListener[] = [];
afterEach(() => Promise.all(listeners.splice(0).map((each) => each.stop())));

/** Listens on a database where whoever has opened a connection hears what is told, unless `deaf` says otherwise. */
function listen(
  open: () => Promise<ListenClient>,
  { deaf = (): boolean => false, log = undefined as ListenerLog | undefined } = {},
) {
  const opened: ListenClient[] = [];
  const cache = new Cache();
  const listener = new NotificationListener(cache, { channel: 'mills', subject: 'mills', patience: 200 });
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

it('enables the cache only once it listens', async () => {
  const client = new FakeClient();
  let listening = () => {};
  client.query.mockImplementation(() => new Promise<void>((resolve) => (listening = resolve)));
  const { cache, started } = listen(async () => client);
  await expect.poll(() => client.query).toHaveBeenCalled();
  expect(cache.works).toBe(false);
  listening();
  await started;
  expect(cache.works).toBe(true);
});

it.each(['error', 'end'])('disables the cache on %s, and opens another connection', async (event) => {
  const clients = [new FakeClient(), new FakeClient()];
  const [first, second] = clients;
  const { cache, started } = listen(async () => clients.shift() as FakeClient);
  await started;
  expect(cache.works).toBe(true);
  first?.emit(event, new Error('lost'));
  first?.emit('end');
  expect(cache.works).toBe(false);
  expect(first?.release).toHaveBeenCalledExactlyOnceWith(true);
  await vi.waitFor(() => expect(cache.works).toBe(true), { timeout: 2_000 });
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
  expect(cache.works).toBe(false);
  expect(clients[0]?.release).toHaveBeenCalledExactlyOnceWith(true);
  await vi.waitFor(() => expect(clients.length).toBe(3), { timeout: 5_000 });
  expect(cache.works).toBe(false);
  expect(log.warn).toHaveBeenCalledOnce();
  deaf = false;
  await vi.waitFor(() => expect(cache.works).toBe(true), { timeout: 5_000 });
  expect(log.info).toHaveBeenCalledOnce();
  // the same after a connection that worked was lost
  deaf = true;
  clients.at(-1)?.emit('end');
  expect(clients.at(-1)?.release).toHaveBeenCalled();
  expect(cache.works).toBe(false);
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(2), { timeout: 5_000 });
});

it('tells what changed, and that anything may have where it cannot be read; neither other channels nor other probes', async () => {
  const client = new FakeClient();
  const { cache, started } = listen(async () => client);
  await started;
  expect(client.query).toHaveBeenCalledExactlyOnceWith('listen mills');
  client.notify('{"wheel":"w1"}', 'another channel');
  for (const payload of ['{"wheel":"w1"}', '{"probe":"of another process"}', 'null', 'no JSON', ''])
    client.notify(payload);
  expect(cache.changed.mock.calls).toEqual([[{ wheel: 'w1' }], [{}], [{}], [{}]]);
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
  expect(cache.works).toBe(false);
  await vi.waitFor(() => expect(cache.works).toBe(true), { timeout: 2_000 });
  expect(open).toHaveBeenCalledTimes(3);
});

it('gives up a connection that is lost while it is set up', async () => {
  const client = new FakeClient();
  client.query.mockImplementationOnce(async () => void client.emit('end'));
  const { cache, started } = listen(async () => client);
  await started;
  expect(cache.works).toBe(false);
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
  expect(cache.works).toBe(false);
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
  expect(cache.works).toBe(false);
});
