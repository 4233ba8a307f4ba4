import { flushCompileCache } from 'node:module';
import pino from 'pino';
import { completeSecrets } from '../../src/config/secrets.ts';
import { readSettings } from '../../src/config/settings.ts';
import { serviceConnections } from '../../src/db/options.ts';
import { createOrm } from '../../src/db/orm.ts';
import { startService } from '../../src/main/service.ts';

// A service in a process of its own, to be killed: node serve.ts, with the settings in its environment. Prints its URL.
// An argument is the number of milliseconds between polls for mails that become due with time. It ends with its parent:
// a process that is left over keeps the streams of the test run open, and so the run from ending.
process.on('disconnect', () => process.exit());
const [interval] = process.argv.slice(2);
const settings = readSettings();
const { url, replicaUrls, pooler } = settings.database;
const orm = await createOrm({ url: url as string, replicaUrls, pooler, ...serviceConnections(settings.bounds) });
const secrets = await completeSecrets(settings.auth.secrets, settings.database.dataDir);
const noticeInterval = interval === undefined ? undefined : Number(interval);
const service = await startService(orm, settings, secrets, pino({ level: 'silent' }), [], noticeInterval);
// for the next one: a process that is killed writes no cache
flushCompileCache();
process.stdout.write(`${service.url}\n`);
