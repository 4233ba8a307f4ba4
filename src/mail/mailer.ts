import { isIP } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Letter } from '../domain/mail/letter.ts';
import { writeMail } from './mail-folder.ts';
import { plainText, wordsOf } from './words.ts';

/** Hands mails over to whoever delivers them. */
export interface Mailer {
  /**
   * @param id of the mail, the same at every attempt: a receiver can tell a repetition by it
   * @throws Error where the mail was not taken; see {@link isHopeless}
   */
  send(letter: Letter, id: string): Promise<void>;
  close(): void;
}

export interface MailerOptions {
  /** Null keeps mails as files under `dir`. */
  smtpUrl: string | null;
  dir: string;
  /** Where clients reach the service: mails come from its host. */
  publicUrl: string;
}

/** Milliseconds; together less than the time that the outbox gives one attempt. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

/** Makes the mailer of the settings: SMTP, or files. */
export function createMailer(options: MailerOptions): Mailer {
  const host = mailHost(options.publicUrl);
  const from = { name: 'Events Gateway', address: `no-reply@${host}` };
  const message = (letter: Letter, id: string): SendMailOptions => ({
    from,
    to: { name: plainText(letter.to.name ?? '', 60), address: letter.to.address },
    ...wordsOf(letter),
    messageId: `<${id}@${host}>`,
    // nobody's absence note answers these (RFC 3834, section 5)
    headers: { 'auto-submitted': 'auto-generated' },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return options.smtpUrl === null ? fileMailer(options.dir, message) : smtpMailer(options.smtpUrl, message);
}

type Message = (letter: Letter, id: string) => SendMailOptions;

function smtpMailer(url: string, message: Message): Mailer {
  const transport = createTransport({ url, ...timeouts });
  return {
    send: async (letter, id) => {
      await transport.sendMail(message(letter, id));
    },
    close: () => transport.close(),
  };
}

function fileMailer(dir: string, message: Message): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (letter, id) => {
      const { message: source } = await transport.sendMail(message(letter, id));
      await writeMail(dir, id, source as Buffer);
    },
    close: () => transport.close(),
  };
}

/** Whether no repetition can help: the receiver refuses this address or this mail for good (RFC 5321, section 4.2.1). */
export function isHopeless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const permanent = typeof responseCode === 'number' ? responseCode >= 500 : code === 'EENVELOPE';
  return permanent && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** The part of a sender's address behind the @: the host of the service, where that is a name. */
function mailHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}
