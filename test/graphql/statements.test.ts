import { describe, expect, test } from 'vitest';
import { insertMember } from '../support/fixtures.ts';
import { graphql, query } from '../support/send.ts';
import { serveTeam } from '../support/server.ts';
import { countReads } from '../support/statements.ts';

const { server, team } = await serveTeam();
const people = [];
for (let index = 0; index < 8; index += 1) {
  const { id } = await insertMember(server.orm, { organizationId: team.organizationId, password: null });
  people.push(id);
}
const em = server.orm.em.fork();
await em.execute(
  `insert into event (id, organization_id, name, slug, status, date_start, date_end, created_at, updated_at)
   select gen_random_uuid(), ?, 'Event ' || n, 'event-' || n, 1, now() + interval '30 days' + n * interval '1 hour',
     now() + interval '30 days' + n * interval '2 hours', now(), now()
   from generate_series(1, 60) n`,
  [team.organizationId],
);
await em.execute(
  `insert into subscription (id, event_id, user_id, status, created_at, updated_at)
   select gen_random_uuid(), e.id, u.id, 'accepted', now(), now() from event e cross join unnest(string_to_array(?, ',')::uuid[]) u(id)`,
  [people.join()],
);
// what a session may do is remembered from its first request on
await graphql(server, team.manager, '{ viewer { name } }');

async function statementsOf(document: string, variables?: Record<string, unknown>): Promise<string[]> {
  const { result, statements } = await countReads(server.orm, () => graphql(server, team.manager, document, variables));
  expect(result.errors, result.text).toBeUndefined();
  return statements;
}

describe('statements', () => {
  const users = 'user { name avatarUrl }';
  test.each([
    ['{ __typename }', 0],
    ['{ viewer { name } }', 1],
    ['{ organization { name } }', 1],
    ['{ events { nodes { name } } }', 1],
    ['{ events { pageInfo { hasNextPage endCursor } } }', 1],
    ['{ events { totalCount } }', 1],
    ['{ events { count(max: 5) { value exact } } }', 1],
    ['{ events { count { value } count { exact } } }', 1],
    ['{ events { count(max: 5) { exact } nodes { name } } }', 2],
    ['{ events { edges { cursor } totalCount } }', 2],
    ['{ events { nodes { viewerSubscription { status } } } }', 2],
    // a page of each event comes with the events, whatever is selected of it
    [`{ events { nodes { subscriptions(first: 8) { nodes { status ${users} } } } } }`, 1],
    [`{ events { edges { cursor node { name s: subscriptions(last: 3) { e: edges { node { ${users} } } } } } } }`, 1],
    [`{ events { nodes { subscriptions { edges { cursor node { status ${users} } } pageInfo { endCursor } } } } }`, 1],
    ['{ events { nodes { phase subscriptions(where: {status: {eq: ACCEPTED}}) { nodes { id } } } } }', 1],
    ['{ events { nodes { subscriptions(first: 2, after: "", before: null) { nodes { id } } } } }', 1],
    ['{ events { nodes { subscriptions { key: nodes { key: id user { key: email } } __typename } } } }', 1],
    ['{ events { nodes { subscriptions { nodes { id } edges { node { id } } } } edges { node { name } } } }', 1],
    ['{ events { a: nodes { subscriptions { nodes { id } } } b: nodes { name } } }', 1],
    ['{ events { nodes { ...F } } } fragment F on Event { subscriptions { nodes { id } } }', 1],
    // and what has to be worked out besides, or is another page of the same events, apart from them
    ['{ events { nodes { subscriptions { nodes { id } totalCount } } } }', 2],
    // answers may have a megabyte each, so they come row by row
    [`{ events { nodes { subscriptions { edges { cursor node { answers ${users} } } pageInfo { endCursor } } } } }`, 2],
    ['{ events { totalCount nodes { subscriptions(first: 2) { totalCount nodes { status } } } } }', 3],
    ['{ events { nodes { a: subscriptions(first: 1) { nodes { id } } b: subscriptions { nodes { id } } } } }', 2],
    [`{ events { nodes { subscriptions { nodes { ${users} } edges { node { user { email } } } } } } }`, 3],
    [
      '{ events { a: nodes { s: subscriptions { nodes { id } } } b: nodes { s: subscriptions { nodes { status } } } } }',
      2,
    ],
    ['{ events { nodes { subscriptions(first: 2) { nodes { event { name } } } } } }', 2],
    ['{ events { nodes { subscriptions(first: 2) { totalCount } } } }', 2],
    ['{ events { nodes { subscriptions { count(max: 3) { value exact } } } } }', 2],
    ['{ events { nodes { subscriptions { count(max: 3) { value } totalCount } } } }', 3],
    ['{ events { nodes { subscriptions { a: count(max: 3) { value } b: count(max: 3) { exact } } } } }', 2],
    ['{ events { nodes { subscriptions { a: count(max: 3) { value } b: count(max: 4) { value } } } } }', 3],
    ['{ events { nodes { subscriptions { count { value } totalCount } } } }', 2],
    ['{ events(first: 5) { nodes { a: subscriptions(first: 2) { totalCount } b: subscriptions { totalCount } } } }', 2],
  ])('%s runs %i, compiled or not', async (document, expected) => {
    for (let run = 0; run < 3; run += 1) {
      const statements = await statementsOf(document);
      expect(statements, statements.join('\n')).toHaveLength(expected);
    }
  });

  test("a page of one event's subscriptions with their users comes with the event", async () => {
    type Ids = { events: { nodes: { id: string }[] } };
    const { events } = await query<Ids>(server, team.manager, '{ events(first: 50) { nodes { id } } }');
    const document = `query ($id: ID!) { event(id: $id) { subscriptions { nodes { status ${users} } } } }`;
    expect(await statementsOf(document, { id: events.nodes[0]?.id })).toHaveLength(1);
  });
});

describe('only selected columns are read', () => {
  const columnsOf = (statement: string | undefined) =>
    /^select (.*?)\s+from /is
      .exec(statement ?? '')?.[1]
      ?.split(', ')
      .map((each) => each.replace(/^"?t"?\."?(\w+).*/, '$1'))
      .sort();

  test.each([
    ['{ events { nodes { id } } }', ['id']],
    ['{ events { e: edges { c: cursor } } }', ['date_start', 'id']],
    [
      '{ events { pageInfo { hasNextPage } nodes { name } p: pageInfo { startCursor } } }',
      ['date_start', 'id', 'name'],
    ],
    ['{ events { pageInfo { hasNextPage hasPreviousPage } } }', ['id']],
    ['{ events { pageInfo { endCursor } } }', ['date_start', 'id']],
    ['{ events { nodes { name } edges { node { slug } } } }', ['id', 'name', 'slug']],
    ['{ events { nodes { x: description } } }', ['description', 'id']],
    ['{ events { nodes { phase } } }', ['date_end', 'date_start', 'id', 'status']],
    [
      '{ events { nodes { ...F ... on Node { id } ... { timezone } } } } fragment F on Event { location }',
      ['id', 'location', 'timezone'],
    ],
    ['{ events { nodes { name @include(if: false) slug @skip(if: true) } } }', ['id']],
    ['{ events(orderBy: {field: CREATED_AT}) { nodes { databaseId } } }', ['id']],
    ['{ events(orderBy: {field: CREATED_AT}) { edges { cursor } } }', ['created_at', 'id']],
    ['{ viewer { name } }', ['id', 'name']],
    ['{ viewer { databaseId } }', ['id']],
  ])('%s', async (document, expected) => {
    const [statement] = await statementsOf(document);
    expect(columnsOf(statement)).toEqual(expected);
  });

  test('of a node, those of its own type', async () => {
    type Ids = { events: { nodes: { id: string }[] } };
    const { events } = await query<Ids>(server, team.manager, '{ events(first: 1) { nodes { id } } }');
    const document = `query ($id: ID!) { node(id: $id) { id ... on Event { name } ... on User { email nullableName: name } } }`;
    const [statement] = await statementsOf(document, { id: events.nodes[0]?.id });
    expect(columnsOf(statement)).toEqual(['id', 'name']);
  });
});
