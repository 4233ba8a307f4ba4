import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ClientGone, ClientWaits, type Requester } from '../../src/kernel/request.ts';
import {
  DatabaseShare,
  LoadPart,
  maxLoadBytes,
  NoRoom,
  SharedDatabase,
} from '../../src/kernel/turns/database-share.ts';
import { Usage } from '../../src/kernel/usage.ts';

const kibibyte = 1024;
let shared: SharedDatabase;
beforeEach(() => {
  // two slots
  shared = new SharedDatabase(
    { options: { max: 2 } },
    { largeValueBytes: 1, userShare: 100, organizationShare: 100, patience: 50 },
  );
});

function requester(userId: string, organizationId: string | null = null): Requester {
  const viewer = { userId, sessionId: '' };
  const membership = organizationId === null ? null : { organizationId, role: 'manager' };
  const log = { warn: () => undefined };
  return {
    viewer,
    membership,
    publicScope: null,
    client: {},
    waits: new ClientWaits(),
    usage: new Usage(),
    log,
  } as unknown as Requester;
}
const load = (userId: string) => new DatabaseShare(requester(userId), shared);
/** One that has taken a slot. */
function large(userId: string): DatabaseShare {
  const made = load(userId);
  expect(made.take(200 * kibibyte)).toBeNull();
  return made;
}

describe('one request', () => {
  it('loads 16 MB in all its statements and transactions together, and no byte more', () => {
    const request = load('a');
    const [read, transaction] = [new LoadPart(request), new LoadPart(request)];
    expect(read.takes(maxLoadBytes - 1000)).toBe(true);
    expect(transaction.takes(1000)).toBe(true);
    expect(transaction.takes(1)).toBe(false);
    expect(transaction.refusal).toMatchObject({ code: 'INVALID_QUERY', detail: expect.stringContaining('16 MB') });
    // after one row that was left out no other may be kept, however small
    expect(transaction.takes(0)).toBe(false);
    expect(read.refusal).toBeNull();
  });

  it('may load again what a failure dropped', () => {
    const request = load('a');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const part = new LoadPart(request);
      expect(part.takes(maxLoadBytes)).toBe(true);
      expect(part.takes(1)).toBe(false);
      part.drop();
    }
    expect(new LoadPart(request).takes(maxLoadBytes)).toBe(true);
  });
});

describe('all requests together', () => {
  it('hold much in two slots; who comes later waits until a response is handed over', async () => {
    const [first] = [large('a'), large('b')];
    const third = load('c');
    expect(third.take(100 * kibibyte)).toBeNull();
    expect(third.take(100 * kibibyte)).toBeInstanceOf(NoRoom);
    await expect(third.waitForRoom()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const waiting = Promise.all([third.waitForRoom(), third.waitForRoom()]);
    first?.end();
    await waiting;
    expect(third.take(maxLoadBytes - 100 * kibibyte)).toBeNull();
    // it has one of the two slots
    third.end();
    large('d');
    expect(load('e').take(200 * kibibyte)).toBeInstanceOf(NoRoom);
  });

  it('make way after two seconds if others wait', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const [first, second] = [large('a'), large('b')];
    vi.advanceTimersByTime(2_001);
    // nobody waits
    expect(() => first.checkHold()).not.toThrow();
    const third = load('c');
    expect(third.take(200 * kibibyte)).toBeInstanceOf(NoRoom);
    const waiting = third.waitForRoom();
    expect(() => first.checkHold()).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    first.end();
    await waiting;
    expect(() => second.checkHold()).not.toThrow();
    expect(() => third.checkHold()).not.toThrow();
  });

  it('hold 32 MiB without a slot; then small ones need one, too', () => {
    const small = Array.from({ length: 256 }, (_, index) => load(`user ${index}`));
    for (const request of small) expect(request.take(128 * kibibyte)).toBeNull();
    expect(shared.held).toBe(32 * 1024 * kibibyte);
    const two = [load('a'), load('b')];
    for (const request of two) expect(request.take(1)).toBeNull();
    expect(load('c').take(1)).toBeInstanceOf(NoRoom);
    for (const request of [...small, ...two]) request.end();
    expect(shared.held).toBe(0);
    expect(load('c').take(1)).toBeNull();
  });

  it('count nothing twice: what is given back, held in a slot, or ended', () => {
    const request = load('a');
    request.take(1000);
    request.giveBack(400);
    expect(shared.held).toBe(600);
    request.take(200 * kibibyte);
    expect(shared.held).toBe(0);
    request.giveBack(100);
    request.end();
    request.end();
    request.take(5);
    request.giveBack(5);
    expect(shared.held).toBe(0);
  });

  it('leave a place to others: one user never has the last slot, and whoever goes away waits no longer', async () => {
    large('a');
    expect(load('a').take(200 * kibibyte)).toBeInstanceOf(NoRoom);
    large('b');
    const asking = requester('c');
    const gone = new DatabaseShare(asking, shared);
    const waiting = gone.waitForRoom();
    asking.waits.clientGone();
    await expect(waiting).rejects.toBeInstanceOf(ClientGone);
  });
});
