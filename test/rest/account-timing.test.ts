import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { settleMails } from '../support/guests.ts';
import { post, serve } from '../support/server.ts';

const server = await serve({ fullHashCost: true });

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function anAccount(index: number): Promise<string> {
  return (await insertUser(server.orm, { verified: index % 2 === 0 })).email;
}

/** An address that signed up a moment ago with the same form. */
async function signedUp(_index: number): Promise<string> {
  const email = `user-${randomUUIDv7()}@example.org`;
  await post(`${server.url}/auth/signup`, signUp(email));
  await settleMails(server);
  return email;
}

const nothing = () => ({
  times: { known: [] as number[], unknown: [] as number[] },
  /** Every distinct answer, without what is each request's own. */
  answers: new Set<string>(),
});
type Observed = ReturnType<typeof nothing>;

/**
 * Whether one kind takes longer: by its median, and in most pairs. The former alone is chance on a busy machine, where a
 * request takes one turn of the processor or two; the latter alone may be microseconds.
 */
function differs({ times: { known, unknown } }: Observed): boolean {
  const ratio = median(known) / median(unknown);
  const share = known.filter((time, index) => time > (unknown[index] as number)).length / known.length;
  return (ratio > 1.4 && share > 0.7) || (ratio < 0.7 && share < 0.3);
}

/** Asks about a known and an unknown address, in pairs so that a busy machine slows both. */
async function observe(
  { path, pairs, bodyOf, known: knownOf = anAccount }: (typeof cases)[number],
  { times, answers }: Observed,
) {
  for (let index = 0; index < pairs; index += 1) {
    const known = await knownOf(index);
    const emails = { known, unknown: `user-${randomUUIDv7()}@example.org` };
    for (const kind of index % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const started = performance.now();
      const answer = await post(`${server.url}${path}`, bodyOf(emails[kind]));
      times[kind].push(performance.now() - started);
      const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(answer.headers);
      answers.add(JSON.stringify([answer.status, headers, answer.text]));
      // what happens afterwards must not slow the other one of the pair
      await settleMails(server);
    }
  }
}

const signUp = (email: string) => ({
  email,
  password: 'a good one now',
  name: 'Ada',
  organization_name: `Of ${email}`,
});

const known = 'a known and an unknown address';
const cases = [
  { name: known, path: '/auth/reset-password-request', pairs: 40, bodyOf: (email: string) => ({ email }) },
  { name: known, path: '/auth/verify-email-request', pairs: 40, bodyOf: (email: string) => ({ email }) },
  { name: known, path: '/auth/signup', pairs: 30, bodyOf: signUp },
  { name: 'a form sent again and one sent first', path: '/auth/signup', pairs: 30, bodyOf: signUp, known: signedUp },
];

describe.each(cases)('POST $path', (each) => {
  it(`answers the same in the same time for ${each.name}`, { timeout: 120_000 }, async () => {
    const observed = nothing();
    await observe(each, observed);
    // chance fades the more pairs are counted together, and a difference does not
    for (let more = 0; more < 2 && differs(observed); more += 1) await observe(each, observed);
    expect(observed.answers.size).toBe(1);
    expect(differs(observed) && observed.times).toBe(false);
  });
});
