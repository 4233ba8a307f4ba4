import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { invocation } from '../config/invocation.ts';
import { readCommandSettings } from '../config/settings.ts';
import { createDemo, demoPassword } from '../db/demo/demo.ts';
import { createOrm } from '../db/orm.ts';
import { runCommand } from './command.ts';
import { requireEmptyOrForce, requireForceInProduction } from './made-up-data.ts';

// npm run db:demo -- --force
try {
  const { force } = parseArgs({ options: { force: { type: 'boolean', default: false } } }).values;
  requireForceInProduction(force);
  await runCommand(async ({ directUrl: url }) => {
    await requireEmptyOrForce(url, force);
    const orm = await createOrm({ url, statementTimeout: 0 });
    try {
      // in production others can reach the service, and a known password would let them in
      const password = readCommandSettings().production ? randomBytes(12).toString('base64url') : demoPassword;
      const accounts = await createDemo(orm, password);
      console.log('The demo organization was created. Its accounts:');
      for (const account of accounts) console.log(`  ${account.role.padEnd(8)} ${account.email}  ${account.password}`);
    } finally {
      await orm.close(true);
    }
  });
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nUsage: ${invocation('demo', 'db:demo')} [--force]`);
  process.exitCode = 1;
}
