import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Subscription } from '../../src/domain/subscription/subscription.entity.ts';
import { insertEvent, insertUser } from '../support/fixtures.ts';
import { query } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { countReads } from '../support/statements.ts';

const texts = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replaceAll('\0', '') || 'x');
const values = fc.record({
  name: texts,
  answers: fc.option(
    fc.dictionary(
      texts,
      fc.jsonValue().filter((each) => !JSON.stringify(each).includes('\\u0000')),
    ),
  ),
  checked_in_at: fc.option(
    fc
      .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
  // many at the same moment
  created_at: fc.constantFrom(...['00.000', '00.100', '00.120', '59.999'].map((end) => `2026-01-01T00:00:${end}Z`)),
});

const { server, team } = await serveTeam();
const { organizationId } = team;
for (const count of [0, 1, 9, 30]) {
  const { id: event } = await insertEvent(server.orm, { organizationId, status: 1 });
  for (const { name, answers, ...times } of fc.sample(values, { numRuns: count, seed: count })) {
    const { id: user } = await insertUser(server.orm, { name: name.slice(0, 200), password: null });
    const row = { id: randomUUIDv7(), event_id: event, answers, ...times, status: 'accepted' as const };
    const holder = { user_id: count === 1 ? team.member.userId : user, organization_id: organizationId };
    await server.orm.em.fork().insert(Subscription, { ...row, ...holder, updated_at: new Date().toISOString() });
  }
}

const everything =
  'id databaseId attendeeName status checkedInAt createdAt updatedAt formVersion waitingSince user { id name }';
const page = (nodes = everything) => `edges { cursor node { ${nodes} } } pageInfo { hasNextPage hasPreviousPage }`;

it.each([
  ['all', '', page()],
  ['the first', '(first: 8)', page()],
  ['the last', '(last: 9)', page()],
  ['none', '(first: 0)', page()],
  ['some columns', '', 'nodes { formVersion user { id name email } }'],
  ['no flags', '(first: 3)', 'nodes { id }'],
  ['by a filter', '(where: { checkedInAt: { ne: null } })', page()],
])('a page that comes with its event is the one that is read by itself: %s', async (_title, list, selection) => {
  for (const person of [team.manager, team.member]) {
    const ask = (text: string) => {
      const document = `{ events { nodes { databaseId subscriptions${list} { ${text} } } } }`;
      return countReads(server.orm, () => query<{ events: { nodes: object[] } }>(server, person, document));
    };
    const along = await ask(selection);
    expect([along.result.events.nodes.length, along.statements.length]).toEqual([4, 1]);
    // with answers, which may be large, it does not come with its event: it would arrive as one value
    const alone = await ask(selection.replace(/node(s?) \{/, 'node$1 { answers'));
    expect(alone.statements.length).toBeGreaterThan(1);
    const withoutAnswers = (key: string, value: unknown) => (key === 'answers' ? undefined : value);
    expect(along.result).toEqual(JSON.parse(JSON.stringify(alone.result, withoutAnswers)));
  }
});
