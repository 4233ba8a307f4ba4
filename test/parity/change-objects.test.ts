import { expect, test } from 'vitest';
import { changesPage } from '../support/changes.ts';
import { globalId, query } from '../support/graphql.ts';
import { expectCode, type Page, send } from '../support/send.ts';
import { countReads } from '../support/statements.ts';
import { subscribing } from '../support/subscribing.ts';
import { serveTeam } from '../support/team.ts';

// The objects of changes (reference/changes.md#objects).

const { server, team } = await serveTeam({ env: { RATE_LIMIT: 'off' } });
const { event, subscribe, move } = subscribing(server, team);

const begin = (await changesPage(server, team.manager, 'since=now')).body.next;
const open = await event({ name: 'Open Day' });
const row = (await subscribe(team.member, open)).body;
const questions = [{ key: 'a', type: 'text', label: 'A' }];
await send(server, team.manager, `PUT /events/${open.id}/form`, { questions });
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
