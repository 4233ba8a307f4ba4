import { isIP } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { isEmailAddress } from '#input-values';
import { MailFolder } from '#mail-folder';
import { tracing } from '#otlp-traces';
import { plainText } from '#safe-markdown';
import type { Caused } from '../kernel/usage.ts';
import { fromOrganizer, type Sender } from './from-organizer.ts';
import type { Letter } from './letter.ts';
import { wordsOf } from './words.ts';

export interface Mailer {
  /**
   * @param id the same in every attempt, so that receivers recognize duplicates
   * @param signal closes the connection to the mail server
   * @throws Error if the mail was not accepted; see {@link isPermanentFailure}
   */
  send(letter: Letter, id: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SmtpServer {
  host: string;
  /** Null for the default: 587, or 465 with implicit TLS. */
  port: number | null;
  /** From the first byte; required STARTTLS; STARTTLS if the server offers it; or never. */
  tls: 'implicit' | 'required' | 'offered' | 'off';
  credentials: { user: string; password: string } | null;
}

export interface MailerOptions {
  /** Null stores mails as files under `dir`. */
  smtp: SmtpServer | null;
  dir: string;
  /** Null for `no-reply` at the host of `publicUrl`. */
  from: Sender | null;
  publicUrl: string;
}

/** Milliseconds. A server may take ten minutes to confirm a mail (RFC 5321, 4.5.3.2.6); a shorter timeout would send it twice. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 600_000 };

export function createMailer(options: MailerOptions): Mailer {
  const host = mailHost(options.publicUrl);
  const from = options.from ?? { name: 'Events Gateway', address: `no-reply@${host}` };
  const message = (letter: Letter, id: string): SendMailOptions => ({
    from,
    to: { name: plainText(letter.to.name ?? '', 60), address: checkedAddress(letter.to.address) },
    ...wordsOf(letter),
    ...fromOrganizer(letter, from, new URL(options.publicUrl).host),
    messageId: `<${id}@${host}>`,
    // suppresses automatic replies (RFC 3834, section 5)
    headers: { 'auto-submitted': 'auto-generated' },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return traced(options.smtp === null ? fileMailer(options.dir, message) : smtpMailer(options.smtp, message));
}

/** Each attempt is a span, in the trace of the request that caused the mail (note 0064). */
function traced(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send: async (letter: Letter & Caused, id, signal) => {
      const kind = { 'events_gateway.mail.kind': letter.kind };
      const span = tracing.tracer?.begin('send mail', 'client', letter.traceparent, kind);
      try {
        await mailer.send(letter, id, signal);
        span?.end();
      } catch (error) {
        span?.end(error);
        throw error;
      }
    },
  };
}

type Message = (letter: Letter, id: string) => SendMailOptions;

function smtpMailer({ host, port, tls, credentials }: SmtpServer, message: Message): Mailer {
  const transport = createTransport({
    host,
    ...(port === null ? {} : { port }),
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(credentials ? { auth: { user: credentials.user, pass: credentials.password } } : {}),
    ...timeouts,
    // an aborted mail must not still be delivered
    socketCloseTimeout: 0,
  });
  return {
    send: async (letter, id, signal) => void (await transport.sendMail({ ...message(letter, id), signal })),
    close: () => transport.close(),
  };
}

function fileMailer(dir: string, message: Message): Mailer {
  const folder = new MailFolder(dir);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (letter, id) => {
      const { message: source } = await transport.sendMail(message(letter, id));
      await folder.write(id, source as Buffer);
    },
    close: () => transport.close(),
  };
}

/** Whether the receiver permanently rejects the address or the mail (RFC 5321, section 4.2.1). */
export function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const permanent = typeof responseCode === 'number' ? responseCode >= 500 : code === 'EENVELOPE';
  return permanent && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** Whether the mail server could not be reached, which says nothing about the mail. */
export function isAway(error: unknown): boolean {
  return error instanceof Error && (error as { command?: unknown }).command === 'CONN';
}

/** Rejects an invalid address: nodemailer would repair it, and deliver to a different one. */
function checkedAddress(address: string): string {
  if (isEmailAddress(address)) return address;
  throw Object.assign(new Error('Not an e-mail address.'), { code: 'EENVELOPE' });
}

/** The domain of the sender's address: the host of the service, if it is a name. */
function mailHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}
