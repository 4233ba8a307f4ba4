import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Entrant, FairQueue, type GiveUp, type Turn } from '../src/index.ts';

interface Bounds {
  /** How many jobs run at once, and of one path. */
  concurrency?: number;
  pathConcurrency?: number;
  /** How many more may wait, and of one path. */
  capacity?: number;
  pathCapacity?: number;
}

const busy = () => new Error('busy');

/** A queue for jobs of paths as `network/account`. */
function queueWith({ concurrency = 1, pathConcurrency = 1, capacity = 100, pathCapacity = 100 }: Bounds) {
  const queue: FairQueue<string> = new FairQueue({
    kindOf: () => 'job',
    pathOf: (path) => path.split('/').map((_, level, keys) => keys.slice(0, level + 1).join('/')),
    mayStart: ({ path }) => queue.all.running < concurrency && (path.at(-1) as Entrant).running < pathConcurrency,
    refusal: ({ path }) => ((path.at(-1) as Entrant).waiting < pathCapacity ? null : busy()),
    busy,
    capacity,
    patience: null,
  });
  return queue;
}

/** The same, whose jobs are finished by hand; each is named after its path and its number. */
function watched(bounds: Bounds = {}) {
  const queue = queueWith(bounds);
  const started: string[] = [];
  const done: string[] = [];
  const refused: string[] = [];
  const running: { name: string; finish: () => void }[] = [];
  const giveUps = new Map<string, GiveUp>();
  const counts = new Map<string, number>();
  const ask = (path: string) => {
    const number = (counts.get(path) ?? 0) + 1;
    counts.set(path, number);
    const name = `${path}${number}`;
    const start = (turn: Turn) => {
      started.push(name);
      running.push({ name, finish: () => turn.end() });
    };
    const refuse = (error: unknown) => {
      expect(error).toEqual(busy());
      refused.push(name);
    };
    try {
      const giveUp = queue.enter(path, start, refuse);
      if (giveUp) giveUps.set(name, giveUp);
    } catch (error) {
      refuse(error);
    }
  };
  return {
    queue,
    started,
    done,
    refused,
    giveUps,
    running: () => running.map(({ name }) => name),
    add(path: string, count = 1): void {
      for (let index = 0; index < count; index += 1) ask(path);
    },
    finish(count = 1): void {
      for (let index = 0; index < count; index += 1) {
        const next = running.shift();
        if (!next) return;
        done.push(next.name);
        next.finish();
      }
    },
  };
}

describe('FairQueue', () => {
  it('runs the jobs of one path in their order, a bounded number at once', () => {
    const queue = watched({ concurrency: 4, pathConcurrency: 2 });
    queue.add('a', 5);
    expect(queue.running()).toEqual(['a1', 'a2']);
    queue.add('b', 5);
    expect(queue.running()).toEqual(['a1', 'a2', 'b1', 'b2']);
    queue.finish(10);
    expect(queue.done).toHaveLength(10);
    expect(queue.started.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('lets networks take turns, and within a network its accounts', () => {
    const queue = watched();
    queue.add('n/a', 4);
    queue.add('n/b', 2);
    queue.add('m/c', 3);
    queue.finish(9);
    expect(queue.started).toEqual(['n/a1', 'm/c1', 'n/b1', 'm/c2', 'n/a2', 'm/c3', 'n/b2', 'n/a3', 'n/a4']);
  });

  it('serves a newcomer next, however many wait', () => {
    const queue = watched();
    queue.add('n/a', 90);
    queue.add('n/b');
    queue.add('m/c');
    queue.finish(3);
    expect(queue.started.slice(1).sort()).toEqual(['m/c1', 'n/a2', 'n/b1'].sort());
  });

  it('refuses what goes beyond the line of a path, and nobody else', () => {
    const queue = watched({ pathCapacity: 3 });
    queue.add('n/a', 6);
    queue.add('n/b', 3);
    expect(queue.refused).toEqual(['n/a5', 'n/a6']);
    queue.finish(7);
    expect(queue.started).toHaveLength(7);
  });

  it('makes room for a newcomer by refusing the newest of the longest line', () => {
    const queue = watched({ capacity: 6 });
    queue.add('n/a', 5);
    queue.add('n/b', 2);
    queue.add('m/c');
    expect(queue.refused).toEqual(['n/a5']);
    queue.add('m/d');
    expect(queue.refused).toEqual(['n/a5', 'n/a4']);
    // the two networks are even, but within its own an account makes room for another
    queue.add('n/e');
    expect(queue.refused).toEqual(['n/a5', 'n/a4', 'n/a3']);
    queue.add('n/b');
    expect(queue.refused.at(-1)).toBe('n/b3');
    queue.finish(20);
    expect(queue.refused).toHaveLength(4);
    expect(queue.done).toHaveLength(7);
  });

  it('serves newcomers before the party that had the last turn, and behind the others, so that they keep nobody waiting for ever', () => {
    const queue = watched();
    queue.add('n', 3);
    for (const newcomer of 'abcdefgh') {
      queue.add(newcomer);
      queue.finish();
    }
    expect(queue.started).toEqual(['n1', 'a1', 'n2', 'b1', 'c1', 'n3', 'd1', 'e1', 'f1']);
  });

  it('forgets what gave up, and serves the others', () => {
    const queue = watched({ capacity: 2 });
    queue.add('a', 3);
    queue.giveUps.get('a2')?.(busy());
    queue.add('b');
    expect(queue.refused).toEqual(['a2']);
    queue.finish(3);
    expect(queue.started).toEqual(['a1', 'b1', 'a3']);
    // what has had its turn gives nothing up
    queue.giveUps.get('a3')?.(busy());
    expect(queue.refused).toEqual(['a2']);
    expect(queue.queue.all.waiting).toBe(0);
  });

  it('takes a turn at once, or none', () => {
    const { queue } = watched();
    const turn = queue.takeAtOnce('a');
    expect(queue.takeAtOnce('b')).toBeNull();
    expect(queue.all.waiting).toBe(0);
    turn?.end();
    expect(queue.takeAtOnce('b')).not.toBeNull();
  });

  it('keeps its bounds and settles every job, whoever comes and goes', () => {
    const path = fc.constantFrom('n/a', 'n/b', 'm/c', 'm/d', 'o');
    const step = fc.oneof(fc.record({ add: path }), fc.record({ finish: fc.integer({ min: 1, max: 3 }) }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const queue = watched({ concurrency: 3, capacity: 8, pathConcurrency: 2, pathCapacity: 5 });
        let asked = 0;
        for (const each of steps) {
          if ('finish' in each) {
            queue.finish(each.finish);
            continue;
          }
          asked += 1;
          const before = new Set(queue.refused);
          queue.add(each.add);
          expect(queue.running().length).toBeLessThanOrEqual(3);
          const waiting = asked - queue.started.length - queue.refused.length;
          expect(waiting).toBeLessThanOrEqual(8);
          const refused = queue.refused.filter((name) => !before.has(name));
          expect(refused.length).toBeLessThanOrEqual(1);
        }
        queue.finish(asked);
        expect(queue.done.length + queue.refused.length).toBe(asked);
        expect(queue.queue.all).toMatchObject({ running: 0, waiting: 0 });
        expect(queue.running()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('counts the jobs that run by their kinds, also for a group', () => {
    const group = new Entrant('all of a kind');
    const queue = new FairQueue<string>({
      kindOf: (claim) => claim,
      pathOf: () => ['one'],
      groupOf: () => group,
      mayStart: ({ kind, path: [party] }) => kind !== 'slow' || party?.runningOf('slow') === 0,
      refusal: () => null,
      busy,
      capacity: 5,
      patience: null,
    });
    const slow = queue.takeAtOnce('slow');
    expect([queue.takeAtOnce('slow'), queue.takeAtOnce('quick')]).toEqual([null, expect.anything()]);
    expect([group.running, group.runningOf('slow'), queue.all.runningOf('quick')]).toEqual([2, 1, 1]);
    slow?.end();
    expect([group.running, group.runningOf('slow')]).toEqual([1, 0]);
  });

  it('refuses what had no turn in time', () => {
    vi.useFakeTimers();
    const queue: FairQueue<string> = new FairQueue({
      kindOf: () => 'job',
      pathOf: (claim) => [claim],
      mayStart: () => queue.all.running === 0,
      refusal: () => null,
      busy,
      capacity: 5,
      patience: 1_000,
    });
    queue.takeAtOnce('a');
    const refused: Error[] = [];
    queue.enter(
      'b',
      () => {},
      (reason) => refused.push(reason),
    );
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect(refused).toEqual([busy()]);
    expect(queue.all.waiting).toBe(0);
  });
});
