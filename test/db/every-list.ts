import type { GraphQLInterfaceType } from 'graphql';
import { expect } from 'vitest';
import { demoOrganizationId as organizationId } from '../../src/db/demo/demo.ts';
import type { ListField, ListResource } from '../../src/engine/list/resource.ts';
import { schema } from '../../src/schema/schema.ts';
import { credentials } from '../support/examples/story.ts';
import { type Asker, connectionPage, graphql, restGet, type Where } from '../support/faces.ts';
import { lists, withIds } from '../support/lists.ts';
import { routesOfTest } from '../support/routes.ts';
import { globalId, type Page, send } from '../support/send.ts';
import { createKey, signIn, type TestServer } from '../support/server.ts';

const id = '0199b5a0-7c3a-7000-8000-00000000000a';
const time = '2026-01-01T00:00:00.000Z';

/** Reads every list of the demo as each role: its pages and counts, by each filter that there is; and what is read in other ways. */
export async function readEveryList(server: TestServer): Promise<void> {
  const { password } = credentials.owner;
  const askers: Asker[] = [];
  for (const role of ['owner', 'manager', 'member']) {
    const { accessToken } = await signIn(server.url, `${role}@demo.example`, password);
    askers.push({ url: server.url, accessToken, organizationId });
  }
  const ids = await fill(server, askers[0] as Asker);
  for (const { path, lists: listed } of routesOfTest) {
    if (!listed) continue;
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] as string);
    const names = [...Object.keys(listed.resource.fields), ...Object.keys(listed.computed ?? {})];
    const all = { fields: names.join(' '), include: listed.relations.join(' ') || undefined };
    const filters = filtersOf(listed.resource);
    let [isServed, isPaged] = [false, false];
    for (const asker of askers) {
      const ask = async (query: Record<string, unknown>, suffix = '') => {
        const answer = await restGet<Page>(asker, target + suffix, query);
        expect(answer.status, answer.text).toBeLessThan(500);
        isServed ||= answer.status === 200;
        return answer.body;
      };
      const { next: token } = await ask({ limit: 1 });
      isPaged ||= typeof token === 'string';
      const { prev } = await ask({ ...all, token });
      for (const sort of [1, -1]) {
        for (const query of [all, { token }, { token: prev }, { from: time }, { token, where: filters[0] }])
          await ask({ ...query, sort });
      }
      for (const where of filters) await ask({ where });
      for (const where of [undefined, ...filters.slice(0, 9)])
        for (const max of [undefined, 100]) await ask({ where, max }, '/count');
    }
    expect([path, isServed, isPaged]).toEqual([path, true, true]);
  }
  const given = (text: string) => withIds(text, (noun) => ids[noun] as string);
  for (const asker of askers) {
    for (const { open, where } of Object.values(lists)) {
      const ask = async (variables: object) =>
        (await connectionPage(asker, { open: given(open), where }, { ...variables, max: 10 })).value;
      const { next: after } = await ask({ first: 1 });
      const { previous: before } = await ask({ last: 1 });
      for (const page of [{ after }, { before, last: 5 }, { after, before }, { from: time }]) await ask(page);
    }
    for (const each of documents) await graphql(asker, given(each));
    for (const slug of ['rye', 'unknown']) {
      await restGet(asker, `/public/events/${slug}`, { fields: 'name availability' });
      await graphql(asker, `{ eventBySlug(slug: "${slug}") { url } }`);
    }
  }
}

const phases = ['UPCOMING', 'IN_PROGRESS', 'CONCLUDED'].map((phase) => `phase: { eq: ${phase} }`);
const subscriptions =
  'subscriptions(first: 2) { totalCount nodes { status user { name } changes(first: 2) { totalCount nodes { kind } } } }';
const accepted = 'subscriptions(first: 2, where: { status: { eq: ACCEPTED } }) { nodes { status user { name } } }';
const nodes = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .map(({ name }) => globalId(name, id));
const pages = [
  ...phases.flatMap((phase) => [phase, `not: { ${phase} }`]).map((where) => `where: { ${where} }`),
  ...['orderBy: { field: CREATED_AT }', 'first: 5', 'last: 5'],
];
const documents = [
  `{ nodes(ids: ${JSON.stringify(nodes)}) { id } }`,
  ...pages.flatMap((page) =>
    [subscriptions, accepted, 'availability subscriptionCounts { accepted } form { version }'].map(
      (selection) => `{ events(${page}) { nodes { name ${selection} } } }`,
    ),
  ),
];

/** Sees to it that each list has more than one item; the ids of those that others belong to. */
async function fill(server: TestServer, owner: Asker): Promise<Record<string, string>> {
  for (const name of ['first', 'second']) {
    await createKey(server, owner, { name });
    await send(server, owner, 'POST /invitations', { email: `${name}@example.org`, role: 'member' });
  }
  const made = [1, 2].map(() => send<{ id: string }>(server, owner, 'POST /webhooks', { url: 'https://127.0.0.1/' }));
  const webhook = (await Promise.all(made))[0]?.body.id as string;
  await server.execute(
    `insert into webhook_delivery (id, webhook_id, change_id, type, attempt, status, duration_ms, change, seq)
      select gen_random_uuid(), ?, gen_random_uuid(), 'event.changed', n, 'failed', 1, '{}', n from generate_series(1, 2) n`,
    [webhook],
  );
  const [found] = await server.execute<{ event: string; subscription: string }>(
    `select s.event_id as event, s.id as subscription from subscription s join subscription_change c on c.subscription_id = s.id
      where s.organization_id = ? group by 1, 2 having count(*) > 1 limit 1`,
    [organizationId],
  );
  return { ...(found as Record<string, string>), webhook };
}

/** A filter by each operator of each field, and what it leaves out. */
function filtersOf({ fields, filters }: ListResource): Where[] {
  const conditions = Object.entries({ ...fields, ...filters }).flatMap(([name, field]) =>
    comparisonsOf(field).map((comparison) => ({ [name]: comparison })),
  );
  const [one = {}, other = {}] = [conditions[0], conditions.at(-1)];
  return [...conditions, ...conditions.map((each) => ({ $not: each })), { $or: [one, other] }];
}

function comparisonsOf(field: ListField): unknown[] {
  if (field.contains) return ['j', 'jaz'];
  const value = someOf(field);
  const compared = (field.operators ?? []).map((operator) => {
    if (operator === 'in') return { $in: [value, value] };
    return { [`$${operator}`]: field.type === 'timestamp' && operator === 'ne' ? null : value };
  });
  return field.nullable && compared.length > 0 ? [...compared, null, { $ne: null }] : compared;
}

function someOf({ type, members, names }: ListField): unknown {
  if (members) return members[0];
  if (names) return Object.values(names)[0];
  return { uuid: id, integer: 5, timestamp: time, boolean: true, text: 'a', enum: 'a', enums: 'a', json: 'a' }[type];
}
