import pino from 'pino';
import { readSettings } from '../../src/config.ts';
import { createOrm } from '../../src/db/orm.ts';
import { completeSecrets } from '../../src/secrets.ts';
import { startService } from '../../src/service.ts';

// A service in a process of its own, to be killed: node serve.ts, with the settings in its environment. Prints its URL.
const settings = readSettings();
const orm = await createOrm({ url: settings.database.url as string });
const secrets = await completeSecrets(settings.auth.secrets, settings.database.dataDir);
const service = await startService(orm, settings, secrets, pino({ level: 'silent' }));
process.stdout.write(`${service.url}\n`);
