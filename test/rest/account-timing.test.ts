import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { settleMails } from '../support/mail.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { post } from '../support/sign-in.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/**
 * Milliseconds that requests about a known and an unknown address take, in pairs so that a busy machine slows both; and
 * every distinct answer, without what is each request's own.
 */
async function compare(path: string, pairs: number, bodyOf: (email: string) => object) {
  const times = { known: [] as number[], unknown: [] as number[] };
  const answers = new Set<string>();
  for (let index = 0; index < pairs; index += 1) {
    const { email: known } = await insertUser(server.orm, { verified: index % 2 === 0 });
    const emails = { known, unknown: `user-${randomUUIDv7()}@example.org` };
    for (const kind of index % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const started = performance.now();
      const answer = await post(`${server.url}${path}`, bodyOf(emails[kind]));
      const text = await answer.text();
      times[kind].push(performance.now() - started);
      const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(answer.headers);
      answers.add(JSON.stringify([answer.status, headers, text]));
      // what happens afterwards must not slow the other one of the pair
      await settleMails(server);
    }
  }
  return { ratio: median(times.known) / median(times.unknown), answers: [...answers] };
}

describe.each([
  ['/auth/reset-password-request', 40, (email: string) => ({ email })],
  ['/auth/verify-email-request', 40, (email: string) => ({ email })],
  [
    '/auth/signup',
    30,
    (email: string) => ({ email, password: 'a good one now', name: 'Ada', organization_name: `Of ${email}` }),
  ],
])('POST %s', (path, pairs, bodyOf) => {
  it('answers the same in the same time for a known and an unknown address', {
    retry: 2,
    timeout: 60_000,
  }, async () => {
    const { ratio, answers } = await compare(path, pairs, bodyOf);
    expect(answers).toHaveLength(1);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });
});
