import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { certificate, privateKey } from './smtp-certificate.ts';

/** A mail as a mail server received it. */
export interface Received {
  from: string;
  to: string[];
  source: string;
  mail: Email;
}

export type TestSmtp = Awaited<ReturnType<typeof startSmtp>>;

/**
 * A mail server on a port of this machine.
 *
 * @param tls whether it offers STARTTLS, or begins with TLS
 */
export async function startSmtp(port = 0, tls: 'none' | 'starttls' | 'implicit' = 'none') {
  const received: Received[] = [];
  const heard: string[] = [];
  const hear = (what: string, secure: boolean) => heard.push(secure ? what : `${what} plain`);
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    ...(tls === 'none' ? { disabledCommands: ['STARTTLS'] } : { cert: certificate, key: privateKey }),
    secure: tls === 'implicit',
    onAuth({ username = '', password = '' }, session, callback) {
      hear(`auth ${username}:${password}`, session.secure);
      callback(null, { user: username });
    },
    onMailFrom({ address }, session, callback) {
      hear(`from ${address}`, session.secure);
      callback();
    },
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (smtp.silent) return;
        await sleep(smtp.delayOf(session.envelope.rcptTo.map(({ address }) => address)));
        if (smtp.refusal) {
          callback(Object.assign(new Error(smtp.refusal.text), { responseCode: smtp.refusal.code }));
          return;
        }
        const source = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        received.push({ from: mailFrom ? mailFrom.address : '', to, source, mail: await PostalMime.parse(source) });
        callback(null);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve));
  const actual = (server.server.address() as AddressInfo).port;
  const smtp = {
    /** As `SMTP_URL`. */
    url: `smtp://127.0.0.1:${actual}`,
    port: actual,
    received,
    /** What was said to it before any message, as `auth` and `from`; with the word `plain` where anybody could listen. */
    heard,
    /** What it answers to a message instead of taking it; null takes it. */
    refusal: null as { code: number; text: string } | null,
    /** While set, a message is neither taken nor refused. */
    silent: false,
    /** Milliseconds that it takes to say that it has taken a message to these addresses. */
    delayOf: (_to: string[]) => 0,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
