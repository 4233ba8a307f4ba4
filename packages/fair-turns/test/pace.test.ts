import { expect, it } from 'vitest';
import { isTurnOver, nextTurn } from '../src/index.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('long work yields after its time in a turn, and continues in order, one part in each turn', async () => {
  const parts: string[] = [];
  const run = async (name: string) => {
    for (let part = 0; part < 3; part += 1) {
      while (!isTurnOver()) work(1);
      await nextTurn();
      parts.push(name);
    }
  };
  await Promise.all([run('a'), run('b')]);
  expect(parts).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});
