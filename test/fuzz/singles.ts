import fc from 'fast-check';
import { organizationResource } from '../../src/domain/organization/organization.resource.ts';
import type { ListResource } from '../../src/engine/list/resource.ts';
import { outputName } from '../../src/schema/relay/node-fields.ts';
import { lists } from '../support/lists.ts';
import { globalId } from '../support/send.ts';
import { type Asking, type Batch, readers } from './batch.ts';
import { expectSame, expectSameRefusal, refusalOf } from './compare.ts';
import { asRestValue, comparableFields } from './fields.ts';
import { reference, resolve } from './references.ts';
import type { FuzzNoun, World } from './world.ts';

/** One object, read by both faces. */
export interface SingleCase {
  kind: 'single';
  asking: Asking;
  what: string;
  /** A reference, or what is no id. */
  object: string;
}

/** What can be read by its id, or is one for each who asks. */
interface Single {
  type: string;
  resource: ListResource;
  path: string;
  /** Up to the object's fields. */
  open: (id: string) => string;
  noun: FuzzNoun;
}

const node = (type: string) => (id: string) =>
  `holder: node(id: ${JSON.stringify(globalId(type, id))}) { ... on ${type}`;
const byId = (noun: FuzzNoun, list: keyof typeof lists, path: string, open?: Single['open']): Single => {
  const { type, resource } = lists[list];
  return { type, resource, path, open: open ?? node(type), noun };
};

const singles: Record<string, Single> = {
  event: byId('event', 'events', '/events/{id}', (id) => `holder: event(id: ${JSON.stringify(id)})`),
  'event as a node': byId('event', 'events', '/events/{id}'),
  subscription: byId('subscription', 'subscriptions', '/events/{event}/subscriptions/{id}'),
  member: byId('membership', 'members', '/members/{id}'),
  invitation: byId('invitation', 'invitations', '/invitations/{id}'),
  'API key': byId('api_key', 'API keys', '/api-keys/{id}'),
  webhook: byId('webhook', 'webhooks', '/webhooks/{id}'),
  'public event': byId(
    'event',
    'public events',
    '/public/events/{id}',
    (id) => `holder: publicEvent(id: ${JSON.stringify(id)})`,
  ),
  organization: {
    ...{ type: 'Organization', resource: organizationResource, path: '/organization', noun: 'event' },
    open: () => 'holder: organization',
  },
};
const further = ['profile', 'user', 'form'];

const asking = readers({ owner: 6, manager: 4, member: 5 });
const noId = fc.constantFrom('nonsense', '0', '%00', '..', '0199b5a0-7c3a-7000-8000-0123456789ab', 'RXZlbnQ6MQ==');

export const singleReads: fc.Arbitrary<SingleCase> = fc
  .constantFrom(...Object.keys(singles), 'event', 'subscription', ...further)
  .chain((what) => {
    const noun = what === 'user' ? fc.constantFrom('user' as const, 'actor' as const) : fc.constant(nounOf(what));
    return fc.record({
      kind: fc.constant('single' as const),
      asking,
      what: fc.constant(what),
      object: fc.oneof({ weight: 14, arbitrary: noun.chain(reference) }, { weight: 1, arbitrary: noId }),
    });
  });

function nounOf(what: string): FuzzNoun {
  return singles[what]?.noun ?? 'event';
}

/** Asks both faces for an object. @throws Difference if they differ */
export async function askSingle(batch: Batch, each: SingleCase): Promise<void> {
  const { what } = each;
  if (what === 'profile') await askProfile(batch, each);
  else if (what === 'user') await askUser(batch, each);
  else if (what === 'form') await askForm(batch, each);
  else await askObject(batch, each, singles[what] as Single);
}

async function askObject(batch: Batch, each: SingleCase, single: Single): Promise<void> {
  const { asking, object, what } = each;
  const { path, open, type } = single;
  const id = resolve(object, batch.world, asking.side);
  const fields = comparableFields(single).filter(([name]) => name !== 'role' || type !== 'Organization');
  const names = fields.map(([name, field]) => (name === 'id' ? 'id: databaseId' : outputName(name, field)));
  const opened = open(id);
  const [rest, item] = await bothFaces(
    batch,
    each,
    path.replace('{id}', () => encodeURIComponent(id)).replace('{event}', () => eventOf(batch, asking, object)),
    `{ ${opened} { ${names.join(' ')} ${'}'.repeat(opened.split('{').length)} }`,
  );
  if (rest === null) return;
  const ours = Object.fromEntries(fields.map(([name]) => [name, rest[name]]));
  const theirs =
    item &&
    Object.fromEntries(
      fields.map(([name, field]) => [name, asRestValue(field, item[name === 'id' ? 'id' : outputName(name, field)])]),
    );
  expectSame(`the ${what}`, ours, theirs);
  if (type !== 'Organization') batch.show(batch.side(asking.side).organizationId, [String(rest.id)]);
}

/** The viewer with their organizations. */
async function askProfile(batch: Batch, each: SingleCase): Promise<void> {
  const memberships = 'memberships { role organization { id: databaseId name slug } }';
  const [rest, viewer] = await bothFaces(
    batch,
    each,
    '/auth/me',
    `{ holder: viewer { id: databaseId email name ${memberships} } }`,
  );
  if (rest === null) return;
  const { memberships: held, ...person } = viewer as Item & { memberships: { role: string; organization: Item }[] };
  const organizations = held.map(({ role, organization }) => ({ ...organization, role: role.toLowerCase() }));
  const byId = (items: unknown) => (items as Item[]).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expectSame(
    'the profile',
    { ...rest, organizations: byId(rest.organizations) },
    { ...person, organizations: byId(organizations) },
  );
}

/** A person as managers know them: REST shows them with a membership or a subscription. */
async function askUser(batch: Batch, { asking, object }: SingleCase): Promise<void> {
  if (asking.actor !== 'owner' && asking.actor !== 'manager') return;
  const id = resolve(object, batch.world, asking.side);
  const where = encodeURIComponent(JSON.stringify({ user_id: id }));
  let user: Item | undefined;
  for (const list of ['members', 'subscriptions']) {
    const answer = await batch.rest(asking, 'GET', `/${list}?where=${where}&include=user&limit=1`);
    // what is no id is refused by a filter, and names nobody
    if (refusalOf(answer)) return;
    user ??= (answer.body as { items: { user: Item }[] }).items[0]?.user;
  }
  const opened = `holder: node(id: "${globalId('User', id)}") { ... on User`;
  const answer = await batch.graphql(asking, `{ ${opened} { id: databaseId name email avatar_url: avatarUrl } } }`, {});
  if (user) batch.count('one user');
  expectSame('the user', user ?? null, (answer.body as { data: { holder: Item | null } }).data.holder);
}

async function askForm(batch: Batch, each: SingleCase): Promise<void> {
  const { asking, object } = each;
  const id = resolve(object, batch.world, asking.side);
  const [rest, event] = await bothFaces(
    batch,
    each,
    `/events/${encodeURIComponent(id)}/form`,
    `{ holder: event(id: ${JSON.stringify(id)}) { form { version questions { key type label help required options { value label } } } } }`,
  );
  if (rest === null) return;
  const form = (event as { form: Form } | null)?.form;
  expectSame('the form', asForm(rest as unknown as Form), form && asForm(form));
}

interface Form {
  version: number;
  questions: Record<string, unknown>[];
}

/** Without the bounds, which are texts in GraphQL, and with what REST leaves out. */
const asForm = ({ version, questions }: Form) => ({
  version,
  questions: questions.map(({ key, type, label, help = null, required = false, options = [] }) => ({
    ...{ key, type: String(type).toLowerCase(), label, help, required, options },
  })),
});

type Item = Record<string, unknown> & { id: string };

/**
 * What both faces answer; null for both if REST refuses, and GraphQL does so too, or has null there
 * (reference/graphql.md#ids).
 */
async function bothFaces(
  batch: Batch,
  { asking, what }: SingleCase,
  path: string,
  document: string,
): Promise<[Item, Item | null] | [null, null]> {
  const rest = await batch.rest(asking, 'GET', path);
  const graphql = await batch.graphql({ ...asking, service: asking.service + 1 }, document, {});
  const holder = (graphql.body as { data?: { holder?: Item | null } | null }).data?.holder;
  const [refused, refusal] = [refusalOf(rest), refusalOf(graphql)];
  if (refused && !refusal && (holder === null || isOwnMembership(batch, asking, what, holder))) return [null, null];
  expectSameRefusal(rest, graphql, 'INVALID_QUERY');
  if (refused) return [null, null];
  batch.count(`one ${what}`);
  return [rest.body as Item, holder ?? null];
}

/** Whether it is a membership of the one who asks, whom GraphQL shows it in every organization (reference/graphql.md#ids). */
function isOwnMembership({ world }: Batch, { actor }: Asking, what: string, holder: Item | undefined): boolean {
  return what === 'member' && holder?.userDatabaseId === world.actors[actor as keyof World['actors']]?.userId;
}

/** The event of a subscription; of what is none, some event. */
function eventOf(batch: Batch, { side }: Asking, reference: string): string {
  return batch.eventOf(side, reference) ?? (batch.side(side).ids.event[0] as string);
}
