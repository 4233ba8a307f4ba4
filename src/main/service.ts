import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HttpServer } from '#bounded-http';
import type { DocumentOptions } from '#compiled-graphql';
import { createEndpointClient } from '#endpoint-client';
import type { DemoSignIn } from '#explorer';
import { MailFolder } from '#mail-folder';
import { openTracing, tracing } from '#otlp-traces';
import { forgetForeignWrites, PostgresDatabase } from '#postgres-access';
import type { Secrets } from '../config/secrets.ts';
import type { Settings } from '../config/settings.ts';
import { createListening } from '../db/listening.ts';
import type { Orm } from '../db/orm.ts';
import { ChangeStreams } from '../domain/change/change-streams.ts';
import { settleRestoredChanges } from '../domain/change/restored.ts';
import { MailBudgets } from '../domain/mail/mail-budgets.ts';
import type { Services } from '../domain/services.ts';
import { resealSecrets } from '../domain/webhook/webhook-secrets.ts';
import type { Database } from '../engine/database.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import { Snapshots } from '../engine/snapshot.ts';
import { openExchange } from '../http/exchange.ts';
import { isLoopbackHost } from '../http/loopback.ts';
import { ChangeWatch } from '../jobs/change-watch.ts';
import { DeliveryLane } from '../jobs/deliveries.ts';
import { mailLanes } from '../jobs/mails.ts';
import { noticeLane } from '../jobs/notices.ts';
import { periodicLane } from '../jobs/periodic.ts';
import { Runner } from '../jobs/runner.ts';
import { WebhookReader } from '../jobs/webhook-reader.ts';
import { clientAddress, clientNetworks } from '../kernel/limits/client-network.ts';
import { Limits } from '../kernel/limits/limits.ts';
import { SharedDatabase } from '../kernel/turns/database-share.ts';
import { createMailer } from '../mail/mailer.ts';
import { readManifest } from '../schema/server/trusted-documents.ts';
import { bodyLimit, createApp } from './app.ts';
import { listen, listeningUrl, shownUrl } from './listen.ts';
import { Readiness } from './readiness.ts';
import { createServices, createSigners } from './services.ts';

export interface RunningService {
  /** Without a trailing slash. */
  url: string;
  /** Null if metrics are off. */
  metricsPort: number | null;
  services: Services;
  useSecrets(secrets: Secrets): void;
  /** Serves for `time` milliseconds while `/readyz` refuses new clients (operate/proxies-and-restarts.md#start-and-stop). */
  drain(time: number): Promise<void>;
  /** Stops accepting connections, lets requests in flight finish (at most 15 s), then releases everything but the ORM. */
  stop(): Promise<void>;
}

/** @param noticeInterval milliseconds between polls for mails that become due with time */
export async function startService(
  orm: Orm,
  settings: Settings,
  secrets: Secrets,
  log: Logger,
  demoAccounts: readonly DemoSignIn[] = [],
  noticeInterval?: number,
): Promise<RunningService> {
  const documents = await readDocuments(settings);
  const { primary: pool, snapshots } = orm.connections;
  const db = new PostgresDatabase(orm);
  await settleRestoredDump(db, log);
  const traces = settings.tracing && (await openTracing({ ...settings.tracing, tracerName: 'events-gateway' }));
  tracing.tracer = traces;
  const app = Promise.withResolvers<ReturnType<typeof createApp>>();
  const http = new HttpServer({
    bounds: settings.bounds.http,
    trustProxy: settings.http.trustProxy,
    log,
    ...{ bodyLimit, addressOf: clientAddress, networksOf: clientNetworks },
    open: openExchange(log),
    handle: app.promise,
  });
  const { server } = http;
  // before the app is built: the public URL may depend on a free port
  await listen(server, settings.http.port, settings.http.host);
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'));
  const url = listeningUrl(server, settings.http.host);
  const publicUrl = settings.http.publicUrl ?? shownUrl(url);
  const { refreshGraceSeconds, sessionMaxDays } = settings.auth;
  const limits = new Limits(settings.rateLimit ? pool : null, settings.bounds);
  const mailer = createMailer({ ...settings.mail, publicUrl });
  const mailBudgets = new MailBudgets({ db, limits, perHour: settings.bounds.mailsPerHour });
  const { retentionDays } = settings.bounds;
  const nudge = (lane: LaneName) => jobs.nudge(lane);
  const scope = {
    ...{ db, log, nudge, mailer, limits, budgets: mailBudgets, publicUrl, retentionDays, noticeInterval },
    bounded: limits.enabled,
    services: () => services,
    recorded: () => webhookReader.look(),
  };
  const lanes = [...mailLanes(scope), noticeLane(scope), new DeliveryLane(scope), periodicLane(scope)];
  const jobs: Runner = new Runner({ db, log, lanes });
  const changes = new ChangeWatch({ db, log });
  const webhookReader = new WebhookReader({
    ...{ db, changes, log, nudge, limits },
    retentionDays: retentionDays.changes,
  });
  const changeStreams = new ChangeStreams({
    ...{ db, log, limited: limits.enabled, bounds: settings.bounds.streams },
    watch: (organizationId, wake) => changes.watch(organizationId, wake),
    retentionDays: retentionDays.changes,
  });
  const issuer = settings.http.publicUrl ?? 'events-gateway';
  let { cookieSecrets } = secrets;
  const services = createServices({
    limits,
    snapshots: new Snapshots(snapshots),
    jobs,
    changes,
    changeStreams,
    mailBudgets,
    sendToEndpoint: createEndpointClient({
      allowed: settings.webhookAllow,
      userAgent: 'Events-Gateway-Webhooks',
      trace: () => tracing.tracer?.begin('POST webhook', 'client', undefined),
    }),
    allowedTargets: settings.webhookAllow,
    secrets,
    issuer,
    settings: {
      publicUrl,
      refreshGraceSeconds,
      sessionMaxDays,
      changesRetentionDays: retentionDays.changes,
      namesVariables: !settings.exposed,
    },
  });
  const readiness = new Readiness(orm.connections);
  const { database, largeValueBytes } = settings.bounds;
  const shared = new SharedDatabase(pool, { ...database, patience: database.readTimeout, largeValueBytes });
  // before any work begins: the port may be taken
  const metrics =
    settings.metrics &&
    (await (
      await import('../metrics/metrics.ts')
    ).startMetrics({
      ...settings.metrics,
      ...{ db, log, connections: orm.connections },
      turns: () => shared.primary,
      waiters: () => ({ streams: changeStreams.open, waiting: changes.waiting }),
      readiness: () => readiness.read(),
    }));
  if (metrics) log.info({ port: metrics.port }, 'metrics are served');
  const listening = createListening(pool, settings.database.directUrl);
  await services.access.start(listening, log);
  const mails = new MailFolder(settings.mail.dir);
  const handle = createApp({
    orm,
    services,
    settings,
    log,
    publicUrl,
    cookieSecrets: () => cookieSecrets,
    documents,
    demoAccounts,
    mailbox: showsMailbox(settings) ? mails : null,
    readiness,
    shared,
  });
  app.resolve(handle);
  if (settings.production && settings.mail.smtp === null) {
    log.warn({ dir: settings.mail.dir }, 'mails are stored as files and not sent: SMTP_URL is not set');
  }
  jobs.start();
  webhookReader.start();
  // also with a key that was revoked while this process had it
  const reseal = (former = services.sealer) => {
    resealSecrets(db, services.sealer, former).catch((error) =>
      log.warn({ err: error }, 'cannot encrypt the secrets of webhooks again'),
    );
  };
  reseal();
  const deletingFiles = setInterval(
    () =>
      void mails
        .deleteOld(retentionDays.mails)
        .catch((error: unknown) => log.warn({ err: error }, 'cannot delete old mails')),
    10 * 60_000,
  ).unref();
  return {
    url,
    metricsPort: metrics?.port ?? null,
    services,
    useSecrets: (changed) => {
      cookieSecrets = changed.cookieSecrets;
      const { sealer } = services;
      Object.assign(services, createSigners(changed, issuer));
      reseal(sealer);
    },
    drain: async (time) => {
      readiness.draining = true;
      http.drain();
      const watched = changes.stop();
      await sleep(time);
      await watched;
    },
    stop: async () => {
      // the next process may start as soon as this one accepts no connections, and needs the port
      await metrics?.stop();
      const watched = changes.stop();
      await http.close();
      clearInterval(deletingFiles);
      // together: each may wait for a database that hangs
      await Promise.all([watched, ...[webhookReader, jobs, services.access].map((work) => work.stop())]);
      mailer.close();
      readiness.stop();
      await listening.close();
      if (!traces) return;
      tracing.tracer = null;
      // a lost collector must not delay the stop
      await Promise.race([traces.stop().catch(() => undefined), sleep(2_000, undefined, { ref: false })]);
    },
  };
}

/** Anyone who can read the mailbox can set everyone's password, so it is only for local development. */
export function showsMailbox({ exposed, http, mail }: Settings): boolean {
  return !exposed && mail.smtp === null && isLoopbackHost(http.host);
}

async function readDocuments({ graphql }: Settings): Promise<DocumentOptions> {
  const trusted = graphql.trustedDocuments === null ? new Map() : await readManifest(graphql.trustedDocuments);
  return { trusted, trustedOnly: graphql.trustedOnly };
}

/** A dump of another cluster has log positions and changes of that cluster. */
async function settleRestoredDump(db: Database, log: Logger): Promise<void> {
  await db.run(forgetForeignWrites);
  const begin = () => log.info('the database was restored from a dump: marking its changes as long over');
  const changes = await settleRestoredChanges(db, { now: new Date(), begin });
  if (changes > 0) log.info({ changes }, 'the changes of the dump are marked');
}
