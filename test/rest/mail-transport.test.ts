import { beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertUser } from '../support/fixtures.ts';
import { serveInTest } from '../support/server.ts';
import { inTest } from '../support/shared.ts';
import { post } from '../support/sign-in.ts';
import { startSmtp, type TestSmtp } from '../support/smtp.ts';
import { trustCertificate } from '../support/smtp-certificate.ts';

let database: TestDatabase;
let smtp: TestSmtp;
beforeEach(async () => {
  database = await inTest(createTestDatabase());
});

/** Has a mail sent by a mail server that is not, by its name, on this machine. */
async function mailBy(
  scheme: 'smtp' | 'smtps',
  tls: 'none' | 'starttls' | 'implicit',
  { query = '', host = '0.0.0.0', env = {} }: { query?: string; host?: string; env?: Record<string, string> } = {},
): Promise<void> {
  smtp = await inTest(startSmtp(0, tls));
  const url = `${scheme}://sender:pass%40word@${host}:${smtp.port}${query}`;
  const server = await serveInTest({ databaseUrl: database.url, env: { SMTP_URL: url, ...env } });
  const { email } = await insertUser(database.orm);
  await post(`${server.url}/auth/reset-password-request`, { email });
}

const delivered = () => expect.poll(() => smtp.received, { interval: 25 }).toHaveLength(1);
const failed = (error: RegExp) =>
  vi.waitFor(
    async () => {
      const jobs = await database.execute(`select error from job where lane ~ 'mails'`);
      expect(jobs).toEqual([{ error: expect.stringMatching(error) }]);
    },
    { timeout: 30_000, interval: 25 },
  );

it.each([
  ['smtp:// to a server without STARTTLS', 'smtp', 'none', /^ETLS/],
  ['smtp:// to a server with an untrusted certificate', 'smtp', 'starttls', /^ESOCKET|^ETLS/],
  ['smtps:// to a server with an untrusted certificate', 'smtps', 'implicit', /^ESOCKET|^ETLS/],
] as const)('sends nothing by %s: neither password nor sender', async (_title, scheme, tls, error) => {
  await mailBy(scheme, tls);
  await failed(error);
  expect([smtp.heard, smtp.received]).toEqual([[], []]);
});

it.each([
  ['smtp', 'starttls'],
  ['smtps', 'implicit'],
] as const)('delivers by %s:// and TLS, and signs in after it', async (scheme, tls) => {
  trustCertificate();
  await mailBy(scheme, tls);
  await delivered();
  expect(smtp.heard).toEqual(['auth sender:pass@word', 'from no-reply@events.test']);
});

it('delivers without TLS if the URL says tls=off, even if it is offered', async () => {
  await mailBy('smtp', 'starttls', { query: '?tls=off' });
  await delivered();
  expect(smtp.heard).toEqual(['auth sender:pass@word plain', 'from no-reply@events.test plain']);
});

it('delivers without TLS to a server on this machine that does not offer it, from MAIL_FROM', async () => {
  const env = { MAIL_FROM: '"Harbour, Events" <hello@harbour.example>' };
  await mailBy('smtp', 'none', { host: '127.0.0.1', env });
  await delivered();
  const [{ from, mail }] = smtp.received as [TestSmtp['received'][number]];
  expect(from).toBe('hello@harbour.example');
  expect(mail.from).toMatchObject({ name: 'Harbour, Events', address: 'hello@harbour.example' });
});
