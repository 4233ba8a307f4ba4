import { expect, it } from 'vitest';
import { generate } from '#generated-data';
import { hashPassword } from '#passwords';
import { withClient } from '../../src/db/client.ts';
import { startChildService } from '../support/child-service.ts';
import { createLargeDatabase } from '../support/database.ts';
import { insertMember, insertMembership, insertOrganization } from '../support/fixtures.ts';
import { silent } from '../support/import.ts';
import { type Caller, callerHeaders } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const attackers = 24;
const requestsInRound = 40;

const database = await shared(createLargeDatabase({ statementTimeout: 0 }));
const [most] = await database.execute<{ id: string }>(
  'select organization_id as id from event group by 1 order by count(*) desc limit 1',
);
const large = most?.id as string;
const sizes = { organizations: 1, users: 50, events: 200, subscriptions: 10_000 };
const { organizationId: busy } = await withClient(database.url, (client) =>
  generate(client, { counts: sizes, seed: 2, hashPassword, progress: silent }),
);
// what a machine with two cores has by default
const env = { DATABASE_URL: database.url, RATE_LIMIT: 'off', DATABASE_POOL_SIZE: '5' };
const service = await shared(startChildService(env));
/** The same people, in an organization with 100,000 events, and in one whose 200 events have 50 subscriptions each. */
const counting: Caller[] = [];
const reading: Caller[] = [];
for (let index = 0; index < attackers; index += 1) {
  const { id, email } = await insertMember(database.orm, { organizationId: large, role: 'manager' });
  await insertMembership(database.orm, { organizationId: busy, userId: id, role: 'manager' });
  const { accessToken } = await signIn(service.url, email);
  counting.push({ accessToken, organizationId: large });
  reading.push({ accessToken, organizationId: busy });
}
/** Nobody who is signed in, each at the public events of another organization. */
const strangers: Caller[] = [];
for (let index = 0; index < attackers; index += 1) {
  strangers.push({ organizationId: (await insertOrganization(database.orm)).id });
}
const { email: otherEmail, organizationId: other } = await insertMember(database.orm, { role: 'manager' });
const bystander = { accessToken: (await signIn(service.url, otherEmail)).accessToken, organizationId: other };
/** Gives organizations a thousand events each of the large one. */
const copyEvents = (to: string[], status = 'status', visibility = 'visibility') =>
  database.execute(
    `insert into event (id, organization_id, slug, name, status, date_start, date_end, timezone, visibility, registration)
     select gen_random_uuid(), o.id, slug, name, ${status}, date_start, date_end, timezone, ${visibility}, registration
     from unnest(?::uuid[]) as o (id), (select * from event where organization_id = ? limit 1000) e`,
    [`{${to.join()}}`, large],
  );
await copyEvents([other]);
await copyEvents(
  strangers.map(({ organizationId }) => organizationId as string),
  '1',
  "'public'",
);
await database.execute('analyze event');

/** A path of REST, or a query of GraphQL. */
type Question = { path: string } | { query: string; variables?: object };

function ask(caller: Caller, question: Question): Promise<Response> {
  const headers = { ...callerHeaders(caller), 'content-type': 'application/json' };
  if ('path' in question) return fetch(service.url + question.path, { headers });
  return fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(question) });
}

const questions: Question[] = [
  { path: '/events?limit=20' },
  { path: '/events?limit=20&where={"status":1,"name":"yoga"}' },
  { path: '/events/count?where={"status":1}' },
  { query: '{ events(first: 20) { totalCount nodes { name dateStart viewerSubscription { status } } } }' },
];

/** Fifty conditions that no index serves, another fifty each time: nothing that was worked out before helps. */
const costlyNames = () => Array.from({ length: 50 }, (_, index) => `${index}${Math.random().toString(36).slice(2)}`);

/** Counts of a list, as both faces ask for them. */
const costlyCounts = (path: string, query: string): (() => Question)[] => [
  () => {
    const where = { $and: costlyNames().map((name) => ({ $not: { name } })) };
    return { path: `${path}/count?where=${encodeURIComponent(JSON.stringify(where))}` };
  },
  () => ({ query, variables: { where: { and: costlyNames().map((contains) => ({ not: { name: { contains } } })) } } }),
];

// some 9,000 nodes
const costlyPage = `{
  events { nodes { ...event subscriptions { nodes { ...subscription } } } }
  last: events(last: 40) { nodes { ...event subscriptions { edges { cursor node { ...subscription } } } } }
}
fragment event on Event { id name description dateStart dateEnd location acceptedCount }
fragment subscription on EventSubscription { id status createdAt user { id name } }`;
const counts = 'query ($where: EventWhere) { events(where: $where, first: 1) { totalCount } }';
const publicCounts = 'query ($where: PublicEventWhere) { publicEvents(where: $where, first: 1) { totalCount } }';

/** How many of those who besiege were answered so far. */
let answered = 0;

type Refused = { status: number; retryAfter: string | null; text: string }[];

/** Lets everybody of an organization ask the costliest things there are, over and over; ends it with what was refused. */
function besiege(attackers: Caller[], attack: (() => Question)[]): () => Promise<Refused> {
  const refused: Refused = [];
  let ended = false;
  const besieging = attackers.map(async (attacker, index) => {
    for (let round = index; !ended; round += 1) {
      const answer = await ask(attacker, (attack[round % attack.length] as () => Question)());
      const text = await answer.text();
      if (answer.status === 200) answered += 1;
      else refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), text });
    }
  });
  return async () => {
    ended = true;
    await Promise.all(besieging);
    return refused;
  };
}

/**
 * Asks as the bystander, one question after the other. For each: how many of those who besiege are answered meanwhile, which is
 * the same on a slow machine.
 */
async function measure(): Promise<number[]> {
  const passed: number[] = [];
  for (let index = 0; index < requestsInRound; index += 1) {
    const before = answered;
    const answer = await ask(bystander, questions[index % questions.length] as Question);
    const text = await answer.text();
    passed.push(answered - before);
    expect([answer.status, text]).toEqual([200, expect.not.stringContaining('"errors"')]);
  }
  return passed.toSorted((a, b) => a - b);
}

it.each<[string, (() => Question)[], Caller[]]>([
  ['24 members who ask for the costliest counts', costlyCounts('/events', counts), counting],
  [
    '24 members who ask for the costliest pages',
    [() => ({ query: costlyPage }), () => ({ path: '/events?where={"name":"a"}' })],
    reading,
  ],
  [
    '24 strangers who each ask for the public counts of another organization',
    costlyCounts('/public/events', publicCounts),
    strangers,
  ],
])('%s leave another organization its speed', { timeout: 240_000 }, async (_who, attack, attackers) => {
  await measure();
  answered = 0;
  const end = besiege(attackers, attack);
  let passed: number[] = [];
  let refused: Refused = [];
  try {
    // the siege has begun
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(0);
    passed = await measure();
  } finally {
    refused = await end();
  }
  // who takes turns waits for a few of the others, and who stands in one line with them for most of the 24
  expect(passed[requestsInRound * 0.5]).toBeLessThan(6);
  expect(passed[requestsInRound * 0.9]).toBeLessThan(12);
  // those who besiege are served as far as their share goes, and the others of them are told to wait
  for (const { status, retryAfter, text } of refused) {
    expect([429, 503], text).toContain(status);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
});
