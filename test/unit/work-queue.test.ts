import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../src/domain/session/work-queue.ts';

describe('WorkQueue', () => {
  it('runs no more jobs at once than it may, in the order of the calls', async () => {
    const queue = new WorkQueue(4, 100);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const job = (index: number) => async () => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return index;
    };
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => queue.run(job(index))));
    expect(most).toBe(4);
    expect(started).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(results).toEqual(started);
  });

  it('refuses what is beyond its capacity with SERVICE_UNAVAILABLE, and recovers', async () => {
    const queue = new WorkQueue(1, 2);
    let finish = () => {};
    const blocked = queue.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = [queue.run(async () => 'a'), queue.run(async () => 'b')];
    await expect(queue.run(async () => 'c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
    finish();
    await blocked;
    expect(await Promise.all(waiting)).toEqual(['a', 'b']);
    expect(await queue.run(async () => 'd')).toBe('d');
  });

  it('goes on after a job that failed', async () => {
    const queue = new WorkQueue(1, 2);
    const failed = queue.run(async () => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
