import { randomBytes } from 'node:crypto';
import { readCommandSettings } from '../../config.ts';
import { createDemo, demoPassword } from '../demo/demo.ts';
import { createOrm } from '../orm.ts';
import { runCommand } from './command.ts';

// npm run db:demo
await runCommand(async ({ url }) => {
  const orm = await createOrm({ url, statementTimeout: 0 });
  try {
    // the known password would be an open door where others can reach the service
    const password = readCommandSettings().production ? randomBytes(12).toString('base64url') : demoPassword;
    const accounts = await createDemo(orm, password);
    console.log('The demo organization is there. Its accounts:');
    for (const account of accounts) console.log(`  ${account.role.padEnd(8)} ${account.email}  ${account.password}`);
  } finally {
    await orm.close(true);
  }
});
