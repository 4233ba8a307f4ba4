import { parseArgs } from 'node:util';
import type { GenerateCounts } from './statements.ts';

export const generateUsage = `[--organizations N] [--users N] [--events N] [--subscriptions N] [--seed S] [--force]
Defaults: 10 organizations, 10,000 users, 50,000 events, 200,000 subscriptions, seed 1.`;

/** @throws Error that names the wrong argument */
export function readGenerateArguments(args: string[]): { counts: GenerateCounts; seed: number; force: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      organizations: { type: 'string', default: '10' },
      users: { type: 'string', default: '10000' },
      events: { type: 'string', default: '50000' },
      subscriptions: { type: 'string', default: '200000' },
      seed: { type: 'string', default: '1' },
      force: { type: 'boolean', default: false },
    },
  });
  const read = (name: Exclude<keyof typeof values, 'force'>, low: number, high: number) => {
    const number = /^(0|[1-9]\d{0,9})$/.test(values[name]) ? Number(values[name]) : Number.NaN;
    if (!(number >= low && number <= high)) throw new Error(`--${name} must be an integer from ${low} to ${high}`);
    return number;
  };
  const counts = {
    organizations: read('organizations', 1, 1_000_000),
    users: read('users', 3, 100_000_000),
    events: read('events', 0, 100_000_000),
    subscriptions: read('subscriptions', 0, 1_000_000_000),
  };
  return { counts, seed: read('seed', 0, 1_000_000_000), force: values.force };
}
