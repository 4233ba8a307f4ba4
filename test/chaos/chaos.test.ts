import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { insertUser } from '../support/fixtures.ts';
import { freePort } from '../support/programs.ts';
import { scrape, sumOf } from '../support/scrape.ts';
import { post, serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';
import { faults, runDrill } from './drill.ts';

// the long form is `npm run chaos`
it('nothing acknowledged is lost or doubled while service and database are killed, frozen and cut off', async () => {
  const lines: string[] = [];
  const plan = [...faults, 'service', 'database'] as const;
  const { acknowledged, recoveries, wrong } = await runDrill(plan, (line) => lines.push(line));
  expect(wrong, lines.join('\n')).toEqual([]);
  expect(acknowledged).toBeGreaterThan(plan.length);
  for (const fault of faults) expect([fault, recoveries[fault].count > 0]).toEqual([fault, true]);
}, 300_000);

const count = 12;

const database = await shared(createTestDatabase());
const port = await freePort();
const options = { databaseUrl: database.url, env: { SMTP_URL: `smtp://127.0.0.1:${port}`, METRICS_PORT: '0' } };
const servers = [await serve(options), await serve(options)] as const;

it('mails wait for a mail server that is away, and are sent once within 5 s of its return', async () => {
  const emails: string[] = [];
  const askBoth = async () => {
    for (const { url } of servers) {
      const { email } = await insertUser(database.orm);
      emails.push(email);
      const { status } = await post(`${url}/auth/reset-password-request`, { email });
      expect(status).toBeLessThan(300);
    }
  };
  while (emails.length < count) await askBoth();
  await vi.waitFor(
    async () => {
      const [row] = await database.execute(
        `select count(*)::int as n, count(*) filter (where error like '% CONN')::int as attempted, max(attempts) as attempts
          from job where lane ~ 'mails'`,
      );
      expect(row).toEqual({ n: count, attempted: count, attempts: expect.toBeOneOf([1, 2]) });
    },
    { timeout: 60_000, interval: 200 },
  );
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const shown = await scrape(servers[0].metricsUrl);
  expect(sumOf(shown, 'events_gateway_mails_total', { outcome: 'failed' })).toBeGreaterThan(0);
  expect(sumOf(shown, 'events_gateway_mails_given_up')).toBe(0);

  const smtp = await startSmtp(port);
  onTestFinished(smtp.close);
  await vi.waitFor(() => expect(smtp.received).toHaveLength(count), { timeout: 5_000, interval: 25 });
  await vi.waitFor(async () => expect(await database.execute(`select id from job where lane ~ 'mails'`)).toEqual([]), {
    timeout: 5_000,
  });
  // before later ones, what was sent twice would arrive twice
  await askBoth();
  await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThanOrEqual(count + 2), { timeout: 5_000 });
  expect(smtp.received.flatMap(({ to }) => to).sort()).toEqual(emails.sort());
});
