import { createLog, type ServiceLog } from '#service-log';
import { completeSecrets } from '../config/secrets.ts';
import { watchSecrets } from '../config/secrets-watch.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import {
  type DemoAccount,
  demoOrganizationId,
  ensureDemo,
  findDemoAccounts,
  lockDemoAccounts,
} from '../db/demo/demo.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import { serviceConnections } from '../db/options.ts';
import { createOrm, type Orm } from '../db/orm.ts';
import { shownUrl } from './listen.ts';
import { type RunningService, showsMailbox, startService } from './service.ts';

async function main(serviceLog: ServiceLog): Promise<void> {
  const { log, flush } = serviceLog;
  const settings = readSettings();
  log.level = settings.logLevel;
  const secrets = await completeSecrets(settings.auth.secrets, settings.database.dataDir);
  const signal = firstSignal();
  void signal.then(() => endInTime(serviceLog, settings.drainTime));
  const warn = (message: string) => log.warn(message);
  const report = (message: string) => log.info(message);
  report('opening the database');
  const database = await openDatabase(settings.database, report, warn);
  let orm: Orm | undefined;
  let service: RunningService | undefined;
  let unwatch: () => void = () => undefined;
  try {
    orm = await createOrm({
      url: database.url,
      locate: database.locate,
      replicaUrls: database.replicaUrls,
      pooler: settings.database.pooler,
      ...serviceConnections(settings.bounds),
      warn,
    });
    const accounts = await demoAccounts(settings, database, orm, { report, warn });
    service = await startService(orm, settings, secrets, log, accounts);
    const { useSecrets } = service;
    unwatch = watchSecrets(settings.auth.secrets, settings.database.dataDir, {
      onSecrets: useSecrets,
      onFailure: (error) => log.error({ err: error }, 'the secrets cannot be reloaded; the previous ones stay in use'),
    });
    // scripts wait for this line, so it is written at any log level
    log
      .child({}, { level: log.level === 'silent' ? 'silent' : 'info' })
      .info({ url: service.url }, `ready on ${process.stdout.isTTY ? shownUrl(service.url) : service.url}`);
    await flush();
    if (accounts.length > 0) process.stdout.write(welcome(shownUrl(service.url), settings, accounts));
    const name = await signal;
    log.info({ signal: name, drainSeconds: settings.drainTime / 1000 }, 'stopping');
    if (settings.drainTime > 0) await service.drain(settings.drainTime);
  } finally {
    unwatch();
    await service?.stop();
    await orm?.close(true);
    await database.close();
    await flush();
  }
}

/** Milliseconds from the end of the drain: up to 15 s for requests in flight, and the rest for the servers that we use. */
const longestStop = 25_000;

/** Ends the process even if it waits for a hanging server. Nothing is lost: the database rolls back open transactions. */
function endInTime({ log, flush }: ServiceLog, drainTime: number): void {
  const end = async () => {
    log.warn('stopping without the database: it does not respond');
    await flush();
    process.exit(0);
  };
  // not `unref`: everything else may be closed before the stop is complete
  setTimeout(end, drainTime + longestStop);
}

/** A second signal does not abort the graceful stop. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, resolve);
  });
}

/** Created at the first start on the embedded database (guides/import-and-export.md#demo-data); an exposed service has none. */
async function demoAccounts(
  settings: Settings,
  database: OpenDatabase,
  orm: Orm,
  { report, warn }: Record<'report' | 'warn', (message: string) => void>,
): Promise<DemoAccount[]> {
  if (settings.exposed) {
    const locked = await lockDemoAccounts(orm);
    if (locked.length > 0) warn(`locked, because their password is public: ${locked.join(', ')}`);
    return [];
  }
  if (!database.embedded) return [];
  return (await ensureDemo(orm, report)) ?? (await findDemoAccounts(orm));
}

function welcome(url: string, settings: Settings, accounts: DemoAccount[]): string {
  const [first] = accounts;
  const now = new Date().toISOString();
  const rows = accounts.map(({ role, email, password }) => `  ${role.padEnd(9)}${email.padEnd(24)}${password}`);
  const login = `curl -s ${url}/auth/login -H 'content-type: application/json' -d '{"email":"${first?.email}","password":"${first?.password}"}'`;
  return `
Events Gateway
  Begin    ${url}                 what to do first, as commands that run
  REST     ${url}/reference       read and try; ${url}/openapi.json for programs
  GraphQL  ${url}/graphql${settings.http.graphiql ? '         open it in a browser' : ''}
  Events   ${url}/o/demo          the demo's public page
${showsMailbox(settings) ? `  Mails    ${url}/dev/mailbox     mails are stored there, since SMTP_URL is not set\n` : ''}
Demo accounts
${rows.join('\n')}
  x-organization-id: ${demoOrganizationId}

Get an access token (valid for 30 minutes):
  ${login}

Read the next active events:
  TOKEN=$(${login} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -s -G ${url}/events -H "authorization: Bearer $TOKEN" -H 'x-organization-id: ${demoOrganizationId}' --data-urlencode 'where={"status":1,"date_start":{"$gte":"${now}"}}' -d limit=3 --data-urlencode 'fields=name date_start'

`;
}

const serviceLog = createLog('info');
try {
  await main(serviceLog);
  // while Node.js shuts down, a further signal would end it with another status
  process.exit(0);
} catch (error) {
  serviceLog.log.child({}, { level: 'fatal' }).fatal(error instanceof Error ? error.message : String(error));
  await serviceLog.flush();
  // resources that a failed start left open must not keep the process alive, or write another line
  process.exit(1);
}
