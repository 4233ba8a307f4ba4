import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Pressure } from '../../src/http/pressure.ts';

/** Keeps the process busy until it has looked at itself. */
async function work(milliseconds = 400): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  await sleep(0);
}

let pressure: Pressure;
afterEach(() => pressure.stop());
const enter = (count: number, client = 'a') => Array.from({ length: count }, () => pressure.enter(client));
const isRefused = (client = 'a', path = '/events') => pressure.refusal(client, path) !== null;

describe('a process that is busy', () => {
  it('refuses what it could not answer in time, with 503, until it keeps up again', async () => {
    pressure = new Pressure(500);
    enter(99);
    await work();
    expect(isRefused()).toBe(false);
    const [leave] = enter(1);
    expect(pressure.refusal('a', '/graphql')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
    leave?.();
    expect(isRefused()).toBe(false);
    enter(1);
    expect(isRefused()).toBe(true);
    await expect.poll(() => isRefused()).toBe(false);
  });

  it('lets in as many as it answered lately within the longest wait', async () => {
    pressure = new Pressure(10_000);
    // 1,000 in about 400 ms, a fifth of which counts: 0.5 a millisecond, so 5,000 in 10 s
    for (const leave of enter(1_000)) leave();
    await work();
    enter(1_000);
    expect(isRefused()).toBe(false);
    enter(9_000);
    expect(isRefused()).toBe(true);
  });

  it('refuses the client with the most before others', async () => {
    pressure = new Pressure(500);
    enter(150);
    await work();
    expect([isRefused('a'), isRefused('b')]).toEqual([true, false]);
    enter(49, 'b');
    expect(isRefused('b')).toBe(false);
    enter(1, 'b');
    expect([isRefused('b'), isRefused('c')]).toEqual([true, false]);
  });

  it('does not count what waits for something else, such as streams', async () => {
    pressure = new Pressure(100);
    const streams = enter(150);
    await work();
    expect(isRefused()).toBe(true);
    await sleep(700);
    // since the last look the process may have been idle for nearly 100 ms
    await work(1_500);
    expect(isRefused()).toBe(false);
    for (const leave of streams) leave();
    enter(99);
    expect(isRefused()).toBe(false);
    enter(1);
    expect(isRefused()).toBe(true);
  });

  it('never refuses the questions of operators, and nothing if the limit is 0', async () => {
    pressure = new Pressure(100);
    enter(150);
    await work();
    expect([isRefused('a', '/events'), isRefused('a', '/healthz'), isRefused('a', '/readyz')]).toEqual([
      true,
      false,
      false,
    ]);
    pressure.stop();
    pressure = new Pressure(0);
    enter(150);
    await work();
    expect(isRefused()).toBe(false);
  });
});

it('refuses nothing while the process is not busy, however many wait', async () => {
  pressure = new Pressure(1_000);
  enter(500);
  // on a machine that has other work this process may be busy for a moment; then it says nothing of one that is not
  for (let time = 1; ; time += 1) {
    const before = performance.eventLoopUtilization();
    await sleep(400);
    const refused = isRefused();
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization >= 0.2 && time < 20) continue;
    expect([utilization < 0.2, refused]).toEqual([true, false]);
    return;
  }
});
