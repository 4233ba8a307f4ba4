import { readSettings, type Settings } from './config.ts';
import { type DemoAccount, demoOrganizationId, ensureDemo, findDemoAccounts } from './db/demo/demo.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import { createOrm, type Orm } from './db/orm.ts';
import { createLog } from './log.ts';
import { completeSecrets } from './secrets.ts';
import { type RunningService, startService } from './service.ts';

/** Settings, database, service; what was opened is closed again whatever happens. */
async function main(): Promise<void> {
  const settings = readSettings();
  const { log, flush } = createLog(settings.logLevel);
  const secrets = await completeSecrets(settings.auth.secrets, settings.database.dataDir);
  const signal = firstSignal();
  const database = await openDatabase(settings.database);
  let orm: Orm | undefined;
  let service: RunningService | undefined;
  try {
    const warn = (message: string) => log.warn(message);
    orm = await createOrm({ url: database.url, replicaUrls: database.replicaUrls, warn });
    const accounts = await demoAccounts(settings, database, orm);
    service = await startService(orm, settings, secrets, log);
    // whoever starts the service waits for this line, however little else they want to read
    log
      .child({}, { level: log.level === 'silent' ? 'silent' : 'info' })
      .info({ url: service.url }, `ready on ${service.url}`);
    flush();
    if (accounts.length > 0) process.stdout.write(welcome(service.url, settings, accounts));
    const name = await signal;
    log.info({ signal: name }, 'stopping');
  } finally {
    await service?.stop();
    await orm?.close(true);
    await database.close();
  }
}

/** Waits for the first of the signals that stop the service; a second one does not cut the stop short. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, resolve);
  });
}

/** The accounts of the demo, made at the first start on the embedded database and at no other (decisions §6). */
async function demoAccounts(settings: Settings, database: OpenDatabase, orm: Orm): Promise<DemoAccount[]> {
  if (!database.embedded || settings.production) return [];
  return (await ensureDemo(orm)) ?? (await findDemoAccounts(orm));
}

function welcome(url: string, settings: Settings, accounts: DemoAccount[]): string {
  const [first] = accounts;
  const rows = accounts.map(({ role, email, password }) => `  ${role.padEnd(9)}${email.padEnd(24)}${password}`);
  const login = `curl -s ${url}/auth/login -H 'content-type: application/json' -d '{"email":"${first?.email}","password":"${first?.password}"}'`;
  return `
Events Gateway
  REST     ${url}/events          described by ${url}/openapi.json
  GraphQL  ${url}/graphql${settings.http.graphiql ? '         open it in a browser' : ''}
${settings.mail.smtpUrl === null ? `  Mails    ${url}/dev/mailbox     kept there, for want of SMTP_URL\n` : ''}
Demo accounts
${rows.join('\n')}
  x-organization-id: ${demoOrganizationId}

Get an access token (valid for 30 minutes):
  ${login}

Read the next active events:
  TOKEN=$(${login} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -s -G ${url}/events -H "authorization: Bearer $TOKEN" -H 'x-organization-id: ${demoOrganizationId}' --data-urlencode 'where={"status":1}' -d limit=3 --data-urlencode 'fields=name date_start'

`;
}

try {
  await main();
  process.exitCode = 0;
} catch (error) {
  // whatever a failed start left open must not keep the process
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () => process.exit(1));
}
