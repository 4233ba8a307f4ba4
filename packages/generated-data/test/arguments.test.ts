import { expect, it } from 'vitest';
import { readGenerateArguments } from '../src/index.ts';
import { stages } from '../src/statements.ts';

it('reads counts, seed and --force, with defaults for what is absent', () => {
  const counts = { organizations: 10, users: 10_000, events: 50_000, subscriptions: 200_000 };
  expect(readGenerateArguments([])).toEqual({ counts, seed: 1, force: false });
  expect(readGenerateArguments(['--events', '0', '--seed', '7', '--force'])).toEqual({
    counts: { ...counts, events: 0 },
    seed: 7,
    force: true,
  });
});

it.each([
  ['--users', '2', 'an integer from 3 to 100000000'],
  ['--organizations', '0', 'an integer from 1 to 1000000'],
  ['--events', '1e3', 'an integer from 0 to 100000000'],
  ['--subscriptions', '01', 'an integer from 0 to 1000000000'],
  ['--seed', '', 'an integer from 0 to 1000000000'],
])('refuses %s %j', (name, value, reason) => {
  expect(() => readGenerateArguments([name, value])).toThrow(`${name} must be ${reason}`);
});

it('makes as many rows as were asked for, and no subscriptions without events', () => {
  const counts = { organizations: 2, users: 5, events: 0, subscriptions: 9 };
  expect(stages(counts, 1).map(({ name, rows }) => [name, rows])).toEqual([
    ['organizations', 2],
    ['users', 5],
    ['memberships', 5],
    ['subscriptions', 0],
    ['events', 0],
  ]);
});
