import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { generate, generatedPassword } from '#generated-data';
import { readCommandSettings } from '../config/settings.ts';
import { strictInteger } from '../config/values.ts';
import { withClient } from '../db/client.ts';
import { createProgress } from '../db/progress.ts';
import { hashPassword } from '../domain/session/password.ts';
import { runCommand } from './command.ts';
import { requireEmptyOrForce, requireForceInProduction } from './made-up-data.ts';

const usage = `Usage: npm run db:generate -- [--organizations N] [--users N] [--events N] [--subscriptions N] [--seed S] [--force]
Defaults: 10 organizations, 10,000 users, 50,000 events, 200,000 subscriptions, seed 1.`;

// npm run db:generate -- --organizations N --users N --events N --subscriptions N --seed S --force
try {
  const { values } = parseArgs({
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
    try {
      return strictInteger(low, high)(values[name]);
    } catch (error) {
      throw new Error(`--${name} ${error instanceof Error ? error.message : error}`);
    }
  };
  const counts = {
    organizations: read('organizations', 1, 1_000_000),
    users: read('users', 3, 100_000_000),
    events: read('events', 0, 100_000_000),
    subscriptions: read('subscriptions', 0, 1_000_000_000),
  };
  const seed = read('seed', 0, 1_000_000_000);
  requireForceInProduction(values.force);
  await runCommand(async ({ directUrl: url }) => {
    await requireEmptyOrForce(url, values.force);
    const began = Date.now();
    const progress = createProgress();
    // in production others can reach the service, and a known password would let them in
    const password = readCommandSettings().production ? randomBytes(12).toString('base64url') : generatedPassword;
    const made = withClient(url, (client) => generate(client, { counts, seed, password, hashPassword, progress }));
    const result = await made.finally(progress.end);
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`Generated in ${seconds} s. The large organization is ${result.organizationId}; its accounts:`);
    for (const { role, email, password } of result.accounts) console.log(`  ${role.padEnd(8)} ${email}  ${password}`);
  });
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}
