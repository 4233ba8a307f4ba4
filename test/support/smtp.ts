import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as a mail server received it. */
export interface Received {
  from: string;
  to: string[];
  source: string;
  mail: Email;
}

export interface TestSmtp {
  /** As `SMTP_URL`. */
  url: string;
  port: number;
  received: Received[];
  /** What it answers to a message instead of taking it; null takes it. */
  refusal: { code: number; text: string } | null;
  /** While set, a message is neither taken nor refused. */
  silent: boolean;
  close(): Promise<void>;
}

/** A mail server on a port of this machine. */
export async function startSmtp(port = 0): Promise<TestSmtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (smtp.silent) return;
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
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const actual = (server.server.address() as AddressInfo).port;
  const smtp: TestSmtp = {
    url: `smtp://127.0.0.1:${actual}`,
    port: actual,
    received,
    refusal: null,
    silent: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
