import { randomBytes } from 'node:crypto';
import { createProgress } from '#command-line';
import { generate, generatedPassword, generateUsage, readGenerateArguments } from '#generated-data';
import { hashPassword } from '#passwords';
import { readCommandSettings } from '../config/settings.ts';
import { withClient } from '../db/client.ts';
import { runCommand } from './command.ts';
import { requireEmptyOrForce, requireForceInProduction } from './made-up-data.ts';

// npm run db:generate -- --organizations N --users N --events N --subscriptions N --seed S --force
try {
  const { counts, seed, force } = readGenerateArguments(process.argv.slice(2));
  requireForceInProduction(force);
  await runCommand(async ({ directUrl: url }) => {
    await requireEmptyOrForce(url, force);
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
  const usage = `Usage: npm run db:generate -- ${generateUsage}`;
  console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}
