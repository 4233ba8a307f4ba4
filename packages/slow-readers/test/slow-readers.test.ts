import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Delivery, SlowReaders } from '../src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const kibibyte = 1024;

/** An export whose client takes so many bytes a second, in pieces, until it is ended. */
function startExport(readers: SlowReaders, speed: number, party = 'a', pieces = 1) {
  const delivery = new Delivery();
  const state = { ended: false, at: 0 };
  const stop = readers.watch({
    party,
    delivery,
    end: () => {
      state.ended = true;
      stop();
    },
  });
  const read = async () => {
    while (!state.ended) {
      const milliseconds = 1000 / pieces;
      await delivery.wait(speed / pieces, new Promise((resolve) => setTimeout(resolve, milliseconds)));
    }
  };
  void read();
  return state;
}

it('ends an export whose client hardly reads, and no other while nobody waits', async () => {
  const readers = new SlowReaders(4);
  const [stopped, dripping, slow, fast] = [0, 4 * kibibyte, 20 * kibibyte, 4096 * kibibyte].map((speed) =>
    startExport(readers, speed),
  );
  await vi.advanceTimersByTimeAsync(50_000);
  expect([stopped, dripping, slow, fast].map((each) => each?.ended)).toEqual([false, false, false, false]);
  await vi.advanceTimersByTimeAsync(150_000);
  expect([stopped, dripping, slow, fast].map((each) => each?.ended)).toEqual([true, true, false, false]);
});

it('ends the slowest for somebody who waits, one after the other, and never a fast one', async () => {
  const readers = new SlowReaders(4);
  const speeds = [900, 20, 4096, 100];
  const running = speeds.map((speed) => startExport(readers, speed * kibibyte, 'a', 10));
  await vi.advanceTimersByTimeAsync(6_000);
  const stopWaiting = readers.makeRoom('b');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(running.map(({ ended }) => ended)).toEqual([false, false, false, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(running.map(({ ended }) => ended)).toEqual([false, true, false, false]);
  stopWaiting();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(running.map(({ ended }) => ended)).toEqual([false, true, false, false]);
  // a connection is free: what the party itself waits for is its own share
  const stopOther = readers.makeRoom('b');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(running.map(({ ended }) => ended)).toEqual([false, true, false, false]);
  stopOther();
  const stopOwn = readers.makeRoom('a');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(running.map(({ ended }) => ended)).toEqual([true, true, false, true]);
  stopOwn();
  for (const each of running) each.ended = true;
});

it('counts the time for which a client is waited for, and nothing else', async () => {
  const delivery = new Delivery();
  const taken = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  expect(delivery.speed(1000)).toBeNull();
  void delivery.wait(10_000, taken(1000));
  await vi.advanceTimersByTimeAsync(1000);
  // the database takes its time
  await vi.advanceTimersByTimeAsync(100_000);
  expect(delivery.speed(1000)).toBe(10_000);
  expect(delivery.speed(1001)).toBeNull();
  void delivery.wait(10_000, taken(9000));
  await vi.advanceTimersByTimeAsync(4000);
  expect(delivery.speed(5000)).toBe(2000);
  expect(delivery.speed(4000)).toBe(0);
});
