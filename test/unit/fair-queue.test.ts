import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueOptions } from '../../src/kernel/turns/fair-queue.ts';

/** A queue whose jobs are finished by hand; each is named after its path and its number. */
function watched(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ concurrency: 1, capacity: 100, pathConcurrency: 1, pathCapacity: 100, ...options });
  const started: string[] = [];
  const outcomes = new Map<string, 'done' | 'refused'>();
  const finishers: { name: string; finish: () => void }[] = [];
  const counts = new Map<string, number>();
  return {
    started,
    outcomes,
    running: () => finishers.map(({ name }) => name),
    /** Asks for a job, and lets the queue decide. */
    async add(path: string, count = 1) {
      for (let index = 0; index < count; index += 1) {
        const number = (counts.get(path) ?? 0) + 1;
        counts.set(path, number);
        const name = `${path}${number}`;
        const job = async () => {
          started.push(name);
          await new Promise<void>((finish) => finishers.push({ name, finish }));
        };
        queue.run(path.split('/'), job).then(
          () => outcomes.set(name, 'done'),
          (error: { code?: string; retryAfter?: number }) => {
            expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: expect.any(Number) });
            outcomes.set(name, 'refused');
          },
        );
      }
      await settle();
    },
    async finish(count = 1) {
      for (let index = 0; index < count; index += 1) {
        finishers.shift()?.finish();
        await settle();
      }
    },
    refused: () => [...outcomes].filter(([, outcome]) => outcome === 'refused').map(([name]) => name),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('FairQueue', () => {
  it('runs the jobs of one path in their order, a bounded number at once', async () => {
    const queue = watched({ concurrency: 4, pathConcurrency: 2 });
    await queue.add('a', 5);
    expect(queue.running()).toEqual(['a1', 'a2']);
    await queue.add('b', 5);
    expect(queue.running()).toEqual(['a1', 'a2', 'b1', 'b2']);
    await queue.finish(10);
    expect([...queue.outcomes.values()]).toEqual(Array(10).fill('done'));
    expect(queue.started.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('lets networks take turns, and within a network its accounts', async () => {
    const queue = watched();
    await queue.add('n/a', 4);
    await queue.add('n/b', 2);
    await queue.add('m/c', 3);
    await queue.finish(9);
    expect(queue.started).toEqual(['n/a1', 'n/a2', 'm/c1', 'n/b1', 'm/c2', 'n/a3', 'm/c3', 'n/b2', 'n/a4']);
  });

  it('serves a newcomer next, however many wait', async () => {
    const queue = watched();
    await queue.add('n/a', 90);
    await queue.add('n/b');
    await queue.add('m/c');
    await queue.finish(3);
    expect(queue.started.slice(1).sort()).toEqual(['m/c1', 'n/a2', 'n/b1'].sort());
  });

  it('refuses what goes beyond the line of a path, and nobody else', async () => {
    const queue = watched({ pathCapacity: 3 });
    await queue.add('n/a', 6);
    await queue.add('n/b', 3);
    expect(queue.refused()).toEqual(['n/a5', 'n/a6']);
    await queue.finish(7);
    expect(queue.started).toHaveLength(7);
  });

  it('makes room for a newcomer by refusing the newest of the longest line', async () => {
    const queue = watched({ capacity: 6 });
    await queue.add('n/a', 5);
    await queue.add('n/b', 2);
    await queue.add('m/c');
    expect(queue.refused()).toEqual(['n/a5']);
    await queue.add('m/d');
    expect(queue.refused()).toEqual(['n/a5', 'n/a4']);
    // the two networks are even, but within its own an account makes room for another
    await queue.add('n/e');
    expect(queue.refused()).toEqual(['n/a5', 'n/a4', 'n/a3']);
    await queue.add('n/b');
    expect(queue.refused().at(-1)).toBe('n/b3');
    await queue.finish(20);
    expect(queue.refused()).toHaveLength(4);
    expect([...queue.outcomes.values()].filter((outcome) => outcome === 'done')).toHaveLength(7);
  });

  it('goes on after a job that failed', async () => {
    const queue = new FairQueue({ concurrency: 1, capacity: 9, pathConcurrency: 1, pathCapacity: 9 });
    const failed = queue.run(['a'], async () => Promise.reject(new Error('no')));
    const next = queue.run(['a'], async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('keeps its bounds and settles every job, whoever comes and goes', async () => {
    const path = fc.constantFrom('n/a', 'n/b', 'm/c', 'm/d', 'o');
    const step = fc.oneof(fc.record({ add: path }), fc.record({ finish: fc.integer({ min: 1, max: 3 }) }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const queue = watched({ concurrency: 3, capacity: 8, pathConcurrency: 2, pathCapacity: 5 });
        let asked = 0;
        for (const each of steps) {
          if ('finish' in each) {
            await queue.finish(each.finish);
            continue;
          }
          asked += 1;
          const before = new Set(queue.refused());
          await queue.add(each.add);
          expect(queue.running().length).toBeLessThanOrEqual(3);
          const waiting = asked - queue.started.length - queue.refused().length;
          expect(waiting).toBeLessThanOrEqual(8);
          const refused = queue.refused().filter((name) => !before.has(name));
          expect(refused.length).toBeLessThanOrEqual(1);
        }
        await queue.finish(asked);
        expect(queue.outcomes.size).toBe(asked);
        expect(queue.running()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
