import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startChildService } from '../support/child-service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertOrganization, insertUser, password } from '../support/fixtures.ts';
import { settleMails, tokenOf } from '../support/guests.ts';
import { post, serveInTest } from '../support/server.ts';
import { inTest, sharedFolder } from '../support/shared.ts';
import { startSmtp, type TestSmtp } from '../support/smtp.ts';
import { trustCertificate } from '../support/smtp-certificate.ts';
import { secretSettings } from '../support/started-service.ts';

const dataDir = await sharedFolder();
let smtp: TestSmtp;
let database: TestDatabase;
beforeEach(async () => {
  smtp = await inTest(startSmtp());
  database = await inTest(createTestDatabase());
});

const start = (env: Record<string, string> = {}) =>
  serveInTest({ databaseUrl: database.url, env: { SMTP_URL: smtp.url, ...env } });

const requestReset = (url: string, email: string) => post(`${url}/auth/reset-password-request`, { email });
const jobs = () => database.execute(`select * from job where lane ~ 'mails'`);
const until = (check: () => void | Promise<void>, timeout = 30_000) => vi.waitFor(check, { timeout, interval: 25 });
const hurry = () => database.execute("update job set due_at = date_trunc('milliseconds', now()) where lane ~ 'mails'");

describe('a mail', () => {
  it('is delivered once, as text and HTML, to the mailbox, and leaves nothing in the queue', async () => {
    const server = await start();
    const { email } = await insertUser(database.orm, { name: 'Ada "the Countess" Łovelace' });
    await requestReset(server.url, email);
    await settleMails(server);
    // a second one would arrive before a later mail
    await requestReset(server.url, (await insertUser(database.orm)).email);
    await until(() => expect(smtp.received.length).toBeGreaterThan(1));
    expect(smtp.received.filter(({ to }) => to.includes(email))).toHaveLength(1);
    await settleMails(server);
    const [{ from, to, source, mail }] = smtp.received as [TestSmtp['received'][number]];
    expect({ from, to }).toEqual({ from: 'no-reply@events.test', to: [email] });
    expect(mail).toMatchObject({
      subject: 'Set a new password',
      to: [{ name: 'Ada "the Countess" Łovelace', address: email }],
    });
    expect(source).toMatch(/^auto-submitted: auto-generated\r$/im);
    expect(source).toMatch(/^message-id: <[0-9a-f-]{36}@events\.test>\r$/im);
    const token = tokenOf({ text: mail.text ?? '' });
    const link = `http://events.test/reset-password?token=${token}`;
    expect(mail.text).toContain(`\n${link}\n`);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).not.toMatch(/<img|<script|<link|url\(/i);
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ['a line break', 'Ada\r\nBcc: victim@example.org\r\n\r\nHello'],
    ['a bare line feed', 'Ada\nBcc: victim@example.org'],
    ['an address', 'Ada <victim@example.org>, "x" <y@example.org>'],
    ['bidirectional controls', 'Ada\u202Egro.elpmaxe\u2066'],
    ['separators', 'Ada\u2028Bcc: victim@example.org\u2029'],
    ['HTML', '<img src=x onerror=alert(1)>'],
  ])('goes to nobody else, nor gains a header, by a name with %s', async (_name, name) => {
    const server = await start();
    const { email } = await insertUser(database.orm, { name });
    await requestReset(server.url, email);
    await until(() => expect(smtp.received).toHaveLength(1));
    const [{ to, mail, source }] = smtp.received as [TestSmtp['received'][number]];
    expect(to).toEqual([email]);
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    expect(mail.bcc ?? []).toEqual([]);
    expect(source.split('\r\n\r\n')[0]).not.toMatch(/^bcc/im);
    expect(mail.to?.[0]?.name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(mail.html).not.toContain('<img');
  });

  it('does not greet by an unverified name', async () => {
    const server = await start();
    const email = `new-${randomUUIDv7()}@example.org`;
    const body = { email, password, name: 'Free money at evil.example', organization_name: 'evil.example' };
    await post(`${server.url}/auth/signup`, body);
    await until(() => expect(smtp.received).toHaveLength(1));
    expect(smtp.received[0]?.source).not.toContain('evil.example');
  });

  it('is tried again when no mail server answers, without delaying the request, and then delivered once', async () => {
    const port = smtp.port;
    await smtp.close();
    const server = await start();
    const { email } = await insertUser(database.orm);
    const started = performance.now();
    expect((await requestReset(server.url, email)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(1_000);
    await until(async () =>
      expect(await jobs()).toMatchObject([{ attempts: 1, error: expect.stringMatching(/ECONN|ESOCKET/) }]),
    );
    smtp = await inTest(startSmtp(port));
    await settleMails(server);
    expect(smtp.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await jobs()).toEqual([]);
  });

  it('waits with all others while no mail server answers: one at a time is attempted every two seconds', async () => {
    const { port } = smtp;
    await smtp.close();
    const attempts: number[] = [];
    const silent = createServer((socket) => {
      attempts.push(performance.now());
      socket.destroy();
    }).listen(port);
    const server = await start();
    const people = await Promise.all(Array.from({ length: 20 }, () => insertUser(database.orm)));
    await Promise.all(people.map(({ email }) => requestReset(server.url, email)));
    const lasted = () => (attempts.at(-1) ?? 0) - (attempts[0] ?? 0);
    await until(() => expect(lasted()).toBeGreaterThan(5_000));
    expect(attempts.length).toBeLessThanOrEqual(8 + lasted() / 2_000);
    await new Promise((resolve) => silent.close(resolve));
    smtp = await inTest(startSmtp(port));
    await until(() => expect(smtp.received).toHaveLength(people.length));
  });

  it('is tried again when the mail server refuses for now, and its link works', async () => {
    smtp.refusal = { code: 451, text: 'Try again later' };
    const server = await start();
    const { email } = await insertUser(database.orm);
    await requestReset(server.url, email);
    await until(async () => expect(await jobs()).toMatchObject([{ attempts: 1, error: 'EMESSAGE 451 DATA' }]));
    smtp.refusal = null;
    await settleMails(server);
    const token = tokenOf({ text: smtp.received[0]?.mail.text ?? '' });
    const answer = await post(`${server.url}/auth/reset-password`, { token, password: 'a new one indeed' });
    expect(answer.status).toBe(200);
  });

  it('is given up when the mail server refuses it for good, and the row that stays holds no secret', async () => {
    smtp.refusal = { code: 550, text: 'No such mailbox' };
    const server = await start();
    const { email } = await insertUser(database.orm);
    await requestReset(server.url, email);
    await until(async () => expect(await jobs()).toMatchObject([{ due_at: null, error: 'EMESSAGE 550 DATA' }]));
    expect(JSON.stringify(await jobs())).not.toMatch(/token|http|[\w-]{43}/);
    expect(server.logLines.filter((line) => line.includes('gave up on a mail'))).toHaveLength(1);
  });

  it('is not sent if the transaction that causes it fails', async () => {
    const server = await start();
    const { id } = await insertOrganization(database.orm, { signup: 'open' });
    await database.execute(`alter table job add constraint no_signup check (kind <> 'signup')`);
    const email = `new-${randomUUIDv7()}@example.org`;
    const body = { email, password, name: 'Ada' };
    expect((await post(`${server.url}/auth/signup`, body, { 'x-organization-id': id })).status).toBe(500);
    expect(await database.execute('select id from "user" where email = ?', [email])).toEqual([]);
    expect(await jobs()).toEqual([]);
  });
});

it('a process that is killed loses no mail: neither one that it had begun to send nor one that it had not', async () => {
  smtp.silent = true;
  const env = { DATABASE_URL: database.url, SMTP_URL: smtp.url, DATA_DIR: dataDir };
  const child = await inTest(startChildService(env));
  const { email } = await insertUser(database.orm);
  expect((await requestReset(child.url, email)).status).toBe(200);
  await until(async () => expect(await jobs()).toMatchObject([{ attempts: 1, error: null }]));
  await child.kill();
  smtp.silent = false;
  const server = await start();
  // a lease holds: nobody else sends what may be on its way, while later mails are sent
  const { email: later } = await insertUser(database.orm);
  await requestReset(server.url, later);
  await until(() => expect(smtp.received.map(({ to }) => to)).toEqual([[later]]));
  await hurry();
  server.services.jobs.nudge('account_mails');
  await settleMails(server);
  expect(smtp.received.map(({ to }) => to)).toEqual([[later], [email]]);
});

it('/dev/mailbox is not there in production, nor beside a mail server', async () => {
  const beside = await start();
  expect((await fetch(`${beside.url}/dev/mailbox`)).status).toBe(404);
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'http://127.0.0.1:3000', ...secretSettings() };
  const server = await start({ SMTP_URL: '', ...production });
  expect((await fetch(`${server.url}/dev/mailbox`)).status).toBe(404);
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
  await requestReset(server.url, email);
}

const delivered = () => until(() => expect(smtp.received).toHaveLength(1));
const failed = (error: RegExp) =>
  until(async () => expect(await jobs()).toMatchObject([{ error: expect.stringMatching(error) }]));

it.each([
  ['smtp:// to a server without STARTTLS', 'smtp', 'none', /^ETLS/],
  ['smtp:// to a server with an untrusted certificate', 'smtp', 'starttls', /^ESOCKET|^ETLS/],
  ['smtps:// to a server with an untrusted certificate', 'smtps', 'implicit', /^ESOCKET|^ETLS/],
] as const)('a mail goes nowhere by %s: neither password nor sender', async (_title, scheme, tls, error) => {
  await mailBy(scheme, tls);
  await failed(error);
  expect([smtp.heard, smtp.received]).toEqual([[], []]);
});

it.each([
  ['smtp', 'starttls'],
  ['smtps', 'implicit'],
] as const)('a mail goes by %s:// and TLS, after which the service signs in', async (scheme, tls) => {
  trustCertificate();
  await mailBy(scheme, tls);
  await delivered();
  expect(smtp.heard).toEqual(['auth sender:pass@word', 'from no-reply@events.test']);
});

it('a mail goes without TLS if the URL says tls=off, even if it is offered', async () => {
  await mailBy('smtp', 'starttls', { query: '?tls=off' });
  await delivered();
  expect(smtp.heard).toEqual(['auth sender:pass@word plain', 'from no-reply@events.test plain']);
});

it('a mail goes without TLS to a server on this machine that does not offer it, from MAIL_FROM', async () => {
  const env = { MAIL_FROM: '"Harbour, Events" <hello@harbour.example>' };
  await mailBy('smtp', 'none', { host: '127.0.0.1', env });
  await delivered();
  const [{ from, mail }] = smtp.received as [TestSmtp['received'][number]];
  expect(from).toBe('hello@harbour.example');
  expect(mail.from).toMatchObject({ name: 'Harbour, Events', address: 'hello@harbour.example' });
});
