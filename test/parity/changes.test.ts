import { describe, expect, it, test } from 'vitest';
import { changesPage } from '../support/changes.ts';
import { expectCode, globalId, graphql, type Page, query, send } from '../support/send.ts';
import { serveTeam, type Team } from '../support/server.ts';
import { countReads } from '../support/statements.ts';
import { subscribing } from '../support/subscribing.ts';

// The objects of changes (reference/changes.md#objects).

const { server, team } = await serveTeam();
const { event, subscribe, move, ask: askForm } = subscribing(server, team);

const begin = (await changesPage(server, team.manager, 'since=now')).body.next;
const open = await event({ name: 'Open Day' });
const row = (await subscribe(team.member, open)).body;
await askForm(open);
const gone = await event({ name: 'Gone', status: 0 });
await send(server, team.manager, `DELETE /events/${gone.id}`);

type Shown = { kind: string; op: string; object_id: string; object?: Record<string, unknown> | null };
const objects = async (person = team.manager, extra = '') =>
  (await changesPage(server, person, `token=${begin}&include=object${extra}`)).body.items as unknown as Shown[];

test('REST shows the object of each change as it is now, or null', async () => {
  const items = await objects();
  expect(items.map(({ kind, op }) => `${kind} ${op}`)).toEqual([
    'event created',
    'subscription created',
    'event changed',
    'form created',
    'event created',
    'event deleted',
  ]);
  const shown = (await send(server, team.manager, `GET /events/${open.id}`)).body;
  const subscribed = (await send(server, team.manager, `GET /events/${open.id}/subscriptions/${row.id}`)).body;
  expect(items.map(({ object }) => object)).toEqual([shown, subscribed, shown, shown, null, null]);
});

test('REST has no object unless it is asked for, and takes it in a body too', async () => {
  const { body } = await changesPage(server, team.manager, `token=${begin}`);
  for (const item of body.items) expect(item).not.toHaveProperty('object');
  const posted = await send<Page>(server, team.manager, 'POST /changes/query', { token: begin, include: 'object' });
  expect(posted.body.items).toEqual(await objects());
  expectCode(await changesPage(server, team.manager, 'include=user'), 400, 'INVALID_QUERY');
});

test('an object costs one statement for each kind', async () => {
  const count = async (extra: string) => {
    const read = () => changesPage(server, team.manager, `token=${begin}${extra}`);
    return (await countReads(server.orm, read)).statements.length;
  };
  expect((await count('&include=object')) - (await count(''))).toBe(2);
});

const typed = `query ($after: String) { changes(after: $after) { nodes {
  kind op objectDatabaseId objectGlobalId event { name } subscription { databaseId } form { id version } object { id }
} } }`;
type Typed = { changes: { nodes: (Record<string, unknown> & { kind: string; op: string })[] } };

test('GraphQL has a field for each kind, and global ids that outlive their objects', async () => {
  const { changes } = await query<Typed>(server, team.manager, typed, { after: begin });
  const none = { event: null, subscription: null, form: null };
  const [id, ofGone] = [globalId('Event', open.id), globalId('Event', gone.id)];
  const [ofRow, ofForm] = [globalId('EventSubscription', row.id), globalId('EventForm', open.id)];
  expect(changes.nodes.map(({ kind, op, objectDatabaseId: _, ...each }) => each)).toEqual([
    { ...none, objectGlobalId: id, object: { id }, event: { name: 'Open Day' } },
    { ...none, objectGlobalId: ofRow, object: { id: ofRow }, subscription: { databaseId: row.id } },
    { ...none, objectGlobalId: id, object: { id }, event: { name: 'Open Day' } },
    { ...none, objectGlobalId: ofForm, object: { id }, form: { id: ofForm, version: 1 } },
    { ...none, objectGlobalId: ofGone, object: null },
    { ...none, objectGlobalId: ofGone, object: null },
  ]);
});

test('typed objects cost one statement for each kind', async () => {
  const ask = (document: string) => () => query(server, team.manager, document, { after: begin });
  const bare = 'query ($after: String) { changes(after: $after) { nodes { kind } } }';
  const fields = typed.replace('object { id }', '');
  const [all, few] = [await countReads(server.orm, ask(fields)), await countReads(server.orm, ask(bare))];
  expect(all.statements.length - few.statements.length).toBe(3);
});

test('members see the objects of their lists alone', async () => {
  const { next } = (await changesPage(server, team.member, 'since=now')).body;
  const hidden = await event({ name: 'Hidden' });
  await send(server, team.manager, `PATCH /events/${hidden.id}`, { status: 0 });
  await move(team.member, row, { status: 'cancelled' });
  const page = await changesPage(server, team.member, `token=${next}&include=object`);
  const items = page.body.items as unknown as Shown[];
  expect(items.map(({ op, object }) => [op, object?.status ?? null])).toEqual([
    ['created', null],
    ['hidden', null],
    ['changed', 'cancelled'],
    ['changed', 1],
  ]);
  const { changes } = await query<Typed>(server, team.member, typed, { after: next });
  expect(changes.nodes.map(({ object, event: found, subscription }) => [object, found, subscription])).toEqual([
    [null, null, null],
    [null, null, null],
    [{ id: globalId('EventSubscription', row.id) }, null, { databaseId: row.id }],
    [{ id: globalId('Event', open.id) }, { name: 'Open Day' }, null],
  ]);
});

test('a form is a node, and so is each of its versions', async () => {
  const node = 'query ($id: ID!) { node(id: $id) { ... on EventForm { id databaseId version } } }';
  const read = async (id: string) => (await query<{ node: object | null }>(server, team.member, node, { id })).node;
  const id = globalId('EventForm', open.id);
  expect(await read(id)).toEqual({ id, databaseId: open.id, version: 1 });
  const forms = `query ($id: ID!) { event(id: $id) { form { id }
    none: form(version: 0) { id } first: form(version: 1) { id } other: form(version: 9) { id } } }`;
  type Forms = { event: Record<string, { id: string } | null> };
  const { event: found } = await query<Forms>(server, team.member, forms, { id: open.id });
  expect(found).toMatchObject({ form: { id }, other: null });
  expect(await read(found.first?.id ?? '')).toEqual({ id: found.first?.id, databaseId: open.id, version: 1 });
  expect(await read(found.none?.id ?? '')).toMatchObject({ version: 0 });
  expect(await read(globalId('EventForm', `${open.id}:9`))).toBeNull();
  expect(await read(globalId('EventForm', gone.id))).toBeNull();
});

interface Changes {
  changes: {
    edges: { cursor: string; node: Record<string, unknown> }[];
    pageInfo: { endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null };
  };
}

const page = `edges { cursor node { id kind op objectDatabaseId eventDatabaseId version actorDatabaseId actor { name } occurredAt } }
  pageInfo { endCursor startCursor hasNextPage hasPreviousPage }`;
const document = `query ($after: String, $first: Int, $since: ChangeSince, $kinds: [ChangeKind!]) {
  changes(after: $after, first: $first, since: $since, kinds: $kinds) { ${page} } }`;

const ask = async (person: Team['manager'], variables: Record<string, unknown>) =>
  (await query<Changes>(server, person, document, variables)).changes;

describe('changes', () => {
  it('are those of REST, and each face goes on from the cursors of the other', async () => {
    const begin = await ask(team.manager, { since: 'NOW' });
    expect(begin).toEqual({
      edges: [],
      pageInfo: { endCursor: expect.any(String), startCursor: null, hasNextPage: false, hasPreviousPage: false },
    });
    const to = await event({ name: 'Open Day' });
    await subscribe(team.member, to);
    await askForm(to);
    const rest = await changesPage(server, team.manager, `token=${begin.pageInfo.endCursor}`);
    const shown = await ask(team.manager, { after: begin.pageInfo.endCursor });
    expect(shown.edges.map(({ node }) => node)).toEqual(
      rest.body.items.map((each) => ({
        ...{ id: each.id, kind: each.kind.toUpperCase(), op: each.op.toUpperCase(), objectDatabaseId: each.object_id },
        ...{
          eventDatabaseId: each.event_id,
          version: each.version,
          actorDatabaseId: each.actor_id,
          occurredAt: each.occurred_at,
        },
        actor:
          each.actor_id === null ? null : { name: each.actor_id === team.member.userId ? 'A member' : 'A manager' },
      })),
    );
    expect(shown.edges.map(({ node }) => [node.kind, node.op])).toEqual([
      ['EVENT', 'CREATED'],
      ['SUBSCRIPTION', 'CREATED'],
      ['EVENT', 'CHANGED'],
      ['FORM', 'CREATED'],
    ]);
    const second = shown.edges[1]?.cursor;
    const after = await changesPage(server, team.manager, `token=${second}`);
    expect(after.body.items).toEqual(rest.body.items.slice(2));
    expect((await ask(team.manager, { after: rest.body.next })).edges).toEqual([]);
    expect((await ask(team.manager, { after: second, first: 1 })).pageInfo.hasNextPage).toBe(true);
    const none = await ask(team.manager, { after: second, first: 0 });
    expect(none).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } });
    const left = (await ask(team.manager, { after: none.pageInfo.endCursor })).edges;
    expect(left.map(({ node }) => node)).toEqual(shown.edges.slice(2).map(({ node }) => node));
  });

  it('refuse what REST refuses, with the same codes', async () => {
    const begin = await ask(team.manager, { since: 'NOW' });
    const after = begin.pageInfo.endCursor;
    const refusals = [
      [{ after, since: 'NOW' }, 'INVALID_QUERY', '/since'],
      [{ first: -1 }, 'INVALID_QUERY', '/first'],
      [{ kinds: [] }, 'INVALID_QUERY', '/kinds'],
      [{ after, kinds: ['EVENT'] }, 'INVALID_CURSOR', '/after'],
      [{ after: 'x' }, 'INVALID_CURSOR', '/after'],
    ] as const;
    for (const [variables, code, pointer] of refusals) {
      const { errors } = await graphql(server, team.manager, document, variables);
      expect(errors?.map(({ extensions }) => [extensions.code, extensions.errors?.[0]?.pointer])).toEqual([
        [code, pointer],
      ]);
    }
    const expired = await graphql(server, team.member, document, { after });
    expect(expired.errors?.[0]?.extensions.code).toBe('CURSOR_EXPIRED');
    expect(expired.headers.get('cache-control')).toBe('no-store');
    expect((await ask(team.manager, { after: '', since: null, kinds: ['FORM'] })).edges.length).toBeGreaterThan(0);
  });
});
