import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Settings } from './config.ts';
import { Connections } from './connections.ts';
import { startSweeping } from './db/sweep.ts';
import { DomainError } from './domain/errors.ts';
import { Limits } from './domain/limits/limits.ts';
import type { Services } from './domain/services.ts';
import { mailboxOf } from './mail/mail-folder.ts';
import { createMailer } from './mail/mailer.ts';
import { Outbox } from './mail/outbox.ts';
import { presentProblem } from './rest/problem.ts';
import type { DocumentOptions } from './schema/document.ts';
import { readManifest } from './schema/persisted.ts';
import type { Secrets } from './secrets.ts';
import { createServices } from './services.ts';

/** A service that answers. */
export interface RunningService {
  /** Where it listens, without a slash at the end. */
  url: string;
  services: Services;
  /** Takes no new connections, lets requests in flight finish (15 s at most), then lets go of everything but the ORM. */
  stop(): Promise<void>;
}

/** URLs carry filters: 8 KiB, each byte of which may be written as three. */
const maxHeaderSize = 64 * 1024;

/** Starts to listen, then serves: the public URL may depend on the port that was free. */
export async function startService(
  orm: MikroORM,
  settings: Settings,
  secrets: Secrets,
  log: Logger,
): Promise<RunningService> {
  const documents = await readDocuments(settings);
  const server = createServer({ maxHeaderSize, requireHostHeader: false });
  const { promise: ready, resolve: open } = Promise.withResolvers<RequestListener>();
  let app: RequestListener | undefined;
  const serve: RequestListener = (request, response) => {
    if (app) app(request, response);
    // who comes while the service is about to serve waits for it
    else ready.then((made) => made(request, response));
  };
  server.on('request', serve);
  // an expectation that nobody knows is no reason to refuse (RFC 9110, section 10.1.1)
  server.on('checkExpectation', serve);
  const connections = new Connections(server);
  refuseMalformed(server, connections);
  await listen(server, settings.http.port, settings.http.host);
  const url = listeningUrl(server, settings.http.host);
  const publicUrl = settings.http.publicUrl ?? url;
  const { refreshGraceSeconds, sessionMaxDays } = settings.auth;
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  const limits = new Limits(settings.rateLimit ? pool : null);
  const mailer = createMailer({ ...settings.mail, publicUrl });
  const outbox = new Outbox({ fork: () => orm.em.fork(), mailer, limits, publicUrl, log });
  const services = createServices({
    limits,
    outbox,
    secrets,
    issuer: settings.http.publicUrl ?? 'events-gateway',
    refreshGraceSeconds,
    sessionMaxDays,
  });
  await services.access.start(() => pool.connect(), log);
  // a page that shows every link must not be reachable where it counts
  const mailbox = settings.production || settings.mail.smtpUrl !== null ? null : mailboxOf(settings.mail.dir);
  app = createApp({
    orm,
    services,
    settings,
    log,
    publicUrl,
    cookieSecrets: secrets.cookieSecrets,
    documents,
    mailbox,
  });
  open(app);
  if (settings.production && settings.mail.smtpUrl === null) {
    log.warn({ dir: settings.mail.dir }, 'mails are kept as files and reach nobody: SMTP_URL is not set');
  }
  outbox.start();
  const sweeping = startSweeping(orm, log);
  return {
    url,
    services,
    stop: async () => {
      await connections.close();
      await sweeping.stop();
      await outbox.stop();
      mailer.close();
      await services.access.stop();
    },
  };
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

/** What never becomes a request: its refusal has the shape of every other. */
function refuseMalformed(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const refusal = tooLarge
      ? new DomainError('PAYLOAD_TOO_LARGE', { detail: `The headers and the URL have at most ${maxHeaderSize} bytes.` })
      : new DomainError('VALIDATION_ERROR', { detail: 'This is no well-formed HTTP request.' });
    const requestId = crypto.randomUUID();
    const body = JSON.stringify(presentProblem(refusal, requestId));
    const head = [
      `HTTP/1.1 ${tooLarge ? '413 Payload Too Large' : '400 Bad Request'}`,
      'content-type: application/problem+json; charset=utf-8',
      'x-content-type-options: nosniff',
      `x-request-id: ${requestId}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    connections.refuse(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
