import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Secrets } from '../config/secrets.ts';
import type { Settings } from '../config/settings.ts';
import { connectionsOf } from '../db/access/connections.ts';
import { ServiceDatabase } from '../db/access/service-database.ts';
import { PoolSnapshots } from '../db/access/snapshots.ts';
import { createListening } from '../db/listening.ts';
import { MailBudgets } from '../domain/mail/mail-budgets.ts';
import type { Services } from '../domain/services.ts';
import type { DemoAccount } from '../explorer/page-settings.ts';
import { isLoopbackHost } from '../http/loopback.ts';
import { createHttpServer } from '../http/server.ts';
import { Notices } from '../jobs/notices.ts';
import { Outbox } from '../jobs/outbox.ts';
import { startSweeping } from '../jobs/sweep.ts';
import { Limits } from '../kernel/limits/limits.ts';
import { deleteOldMails, mailboxOf } from '../mail/mail-folder.ts';
import { createMailer } from '../mail/mailer.ts';
import type { DocumentOptions } from '../schema/documents/documents.ts';
import { readManifest } from '../schema/documents/persisted.ts';
import { createApp } from './app.ts';
import { bodyLimit } from './body-limit.ts';
import { presentRefusal } from './present-refusal.ts';
import { createServices, createSigners } from './services.ts';

/** A service that accepts requests. */
export interface RunningService {
  /** The URL that it listens on, without a trailing slash. */
  url: string;
  services: Services;
  /** Replaces the secrets that sign and verify. */
  useSecrets(secrets: Secrets): void;
  /**
   * Stops accepting connections, lets requests in flight finish (at most 15 s), then releases everything but the ORM.
   */
  stop(): Promise<void>;
}

/**
 * Starts listening before the app is built, since the public URL may depend on a free port.
 *
 * @param noticeInterval milliseconds between polls for mails that become due with time
 */
export async function startService(
  orm: MikroORM,
  settings: Settings,
  secrets: Secrets,
  log: Logger,
  demoAccounts: readonly DemoAccount[] = [],
  noticeInterval?: number,
): Promise<RunningService> {
  const documents = await readDocuments(settings);
  const { promise: ready, resolve: open } = Promise.withResolvers<RequestListener>();
  const { server, connections } = createHttpServer({
    bounds: settings.bounds.http,
    trustProxy: settings.http.trustProxy,
    log,
    presentRefusal,
    bodyLimit,
    handler: ready,
  });
  await listen(server, settings.http.port, settings.http.host);
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'));
  const url = listeningUrl(server, settings.http.host);
  const publicUrl = settings.http.publicUrl ?? url;
  const { refreshGraceSeconds, sessionMaxDays } = settings.auth;
  const pool = connectionsOf(orm).primary;
  const db = new ServiceDatabase(orm);
  const limits = new Limits(settings.rateLimit ? pool : null, settings.bounds);
  const mailer = createMailer({ ...settings.mail, publicUrl });
  const mailBudgets = new MailBudgets({ db, limits, perHour: settings.bounds.mailsPerHour });
  const outbox = new Outbox({
    db,
    mailer,
    limits,
    linkTokens: () => services.linkTokens,
    budgets: mailBudgets,
    publicUrl,
    log,
  });
  const notices = new Notices({ db, outbox, log, bounded: limits.enabled, interval: noticeInterval });
  const issuer = settings.http.publicUrl ?? 'events-gateway';
  let { cookieSecrets } = secrets;
  const services = createServices({
    limits,
    snapshots: new PoolSnapshots(connectionsOf(orm).snapshots),
    outbox,
    notices,
    mailBudgets,
    secrets,
    issuer,
    refreshGraceSeconds,
    sessionMaxDays,
  });
  const listening = createListening(pool, settings.database.directUrl);
  await services.access.start(listening, log);
  const mailbox = showsMailbox(settings) ? mailboxOf(settings.mail.dir) : null;
  const app = createApp({
    orm,
    services,
    settings,
    log,
    publicUrl,
    cookieSecrets: () => cookieSecrets,
    documents,
    demoAccounts,
    mailbox,
  });
  open(app);
  if (settings.production && settings.mail.smtp === null) {
    log.warn({ dir: settings.mail.dir }, 'mails are stored as files and not sent: SMTP_URL is not set');
  }
  outbox.start();
  notices.start();
  const { retentionDays } = settings.bounds;
  const deleteFiles = () => deleteOldMails(settings.mail.dir, retentionDays.mails);
  const sweeping = startSweeping(db, { retentionDays, files: deleteFiles, log });
  return {
    url,
    services,
    useSecrets: (changed) => {
      cookieSecrets = changed.cookieSecrets;
      Object.assign(services, createSigners(changed, issuer));
    },
    stop: async () => {
      await connections.close();
      await sweeping.stop();
      await notices.stop();
      await outbox.stop();
      mailer.close();
      await services.access.stop();
      await listening.close();
    },
  };
}

/** Anyone who sees the mailbox can set everyone's password, so it is only for local development. */
export function showsMailbox({ exposed, http, mail }: Settings): boolean {
  return !exposed && mail.smtp === null && isLoopbackHost(http.host);
}

async function readDocuments({ graphql }: Settings): Promise<DocumentOptions> {
  const trusted = graphql.trustedDocuments === null ? new Map() : await readManifest(graphql.trustedDocuments);
  return { trusted, trustedOnly: graphql.trustedOnly };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const reason = taken ? `port ${port} is taken; set PORT to another, or to 0 for a free one` : error.message;
      reject(new Error(`Cannot listen on ${host}: ${reason}.`));
    });
    server.listen(port, host, resolve);
  });
}

function listeningUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = ['0.0.0.0', '::', '::1', 'localhost'].includes(host) ? 'localhost' : host;
  return `http://${name}:${port}`;
}
