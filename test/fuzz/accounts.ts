import fc from 'fast-check';
import { twins } from '../support/as-rest.ts';
import { mutationOf, toGraphql } from '../support/write-faces.ts';
import type { Batch } from './batch.ts';
import { expectSame, expectSameRefusal, refusalOf } from './compare.ts';
import { accountText, password } from './values.ts';
import type { Account } from './world.ts';

/** A write of an account, by REST for one of two accounts that are the same, by GraphQL for the other. */
export interface AccountCase {
  kind: 'account';
  /** The account that is written by REST. */
  restAccount: 0 | 1;
  service: number;
  /** The place of the session that asks; null asks without one. */
  session: number | null;
  operation: string;
  /** Whose session is ended: `@session:3` of the account, `@session:3:twin` of the other one. */
  object: string | null;
  fields: Record<string, unknown> | null;
  key: string | null;
}

interface Operation {
  mutation: string;
  /** What the payload has under `answer` is compared with what REST answers; absent if it answers only `true`. */
  answer?: { selection: string; ofRest(body: Item): unknown; ofGraphql(value: Item): unknown };
  fields?: fc.Arbitrary<Record<string, unknown>>;
  weight: number;
}

type Item = Record<string, unknown>;

const organizationNames = ['name', 'signup', 'description', 'website', 'contact_email', 'accent', 'version'];
const pick = (item: Item) =>
  Object.fromEntries(
    organizationNames.map((name) => [name, name === 'signup' ? String(item[name]).toLowerCase() : item[name]]),
  );
const sorted = (texts: string[]) => texts.toSorted();

const operations: Record<string, Operation> = {
  'change the profile': {
    mutation: 'updateProfile',
    fields: fc.record({ name: accountText }),
    answer: {
      selection: 'answer: viewer { name memberships { role organization { name } } }',
      ofRest: ({ name, organizations }) => ({
        name,
        organizations: sorted((organizations as Item[]).map((each) => `${each.role} of ${each.name}`)),
      }),
      ofGraphql: ({ name, memberships }) => ({
        name,
        organizations: sorted(
          (memberships as { role: string; organization: Item }[]).map(
            ({ role, organization }) => `${role.toLowerCase()} of ${organization.name}`,
          ),
        ),
      }),
    },
    weight: 6,
  },
  'found an organization': {
    mutation: 'createOrganization',
    fields: fc.record({ name: accountText }),
    answer: {
      selection: 'answer: organization { name signup description website contact_email: contactEmail accent version }',
      ofRest: pick,
      ofGraphql: pick,
    },
    weight: 2,
  },
  'end a session': { mutation: 'endSession', weight: 5 },
  'end the other sessions': { mutation: 'endOtherSessions', weight: 1 },
  'change the password': {
    mutation: 'changePassword',
    fields: fc.record({ current_password: password, password }),
    weight: 2,
  },
  'accept an invitation': { mutation: 'acceptInvitation', fields: fc.record({ token: accountText }), weight: 1 },
  'erase the account': { mutation: 'eraseViewer', fields: fc.record({ password }), weight: 1 },
};
const named = Object.entries(operations).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

// the first sessions ask, so that they are seldom the ones that have ended
const object = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 9 }).map((place) => `@session:${place}`) },
  { weight: 1, arbitrary: fc.constantFrom('@session:0', '@session:4:twin', 'nonsense', '0') },
);

export const accountWrites: fc.Arbitrary<AccountCase> = fc.constantFrom(...named).chain((operation) =>
  fc.record({
    kind: fc.constant('account' as const),
    restAccount: fc.constantFrom(0 as const, 1 as const),
    service: fc.nat(1),
    session: fc.constantFrom<(number | null)[]>(0, 0, 0, 0, 0, 0, 1, 1, 9, null),
    operation: fc.constant(operation),
    object: operation === 'end a session' ? object : fc.constant(null),
    fields: operations[operation]?.fields ?? fc.constant(null),
    key: fc.oneof(
      { weight: 10, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom('key', 'another key') },
    ),
  }),
);

/** Makes a write on both accounts. @throws Difference if they answer differently, PutOff if one of them was put off */
export async function askAccount(batch: Batch, each: AccountCase): Promise<void> {
  const { restAccount, service, session, operation: name, key } = each;
  const { accounts } = batch.world;
  const [ours, theirs] = [accounts[restAccount], accounts[restAccount === 0 ? 1 : 0]];
  const operation = operations[name] as Operation;
  const twin = twins.mutations[operation.mutation] as (typeof twins.mutations)[string];
  const headers = key === null ? [] : ['idempotency-key', key];
  const asking = (account: Account, service: number) => ({
    ...{ actor: session === null ? null : { token: account.sessions[session]?.token as string } },
    ...{ side: 'third' as const, service },
  });
  const path = twin.path.replace(/\{\w+\}/, () => sessionOf(each.object, ours, theirs));
  const rest = await batch.rest(
    asking(ours, service),
    twin.method.toUpperCase(),
    path,
    each.fields ?? undefined,
    headers,
  );
  const input = {
    ...toGraphql(each.fields ?? {}, []),
    ...(twin.object ? { [twin.object.field]: sessionOf(each.object, theirs, ours) } : {}),
  };
  const document = mutationOf(operation.mutation, operation.answer?.selection ?? 'clientMutationId');
  const graphql = await batch.graphql(asking(theirs, service + 1), document, { input }, headers);
  expectSameRefusal(rest, graphql, 'VALIDATION_ERROR');
  if (refusalOf(rest)) return;
  batch.count(name);
  if (!operation.answer) return;
  const payload = (graphql.body as { data: Record<string, { answer: Item }> }).data[operation.mutation];
  expectSame(
    'the answer',
    operation.answer.ofRest(rest.body as Item),
    operation.answer.ofGraphql(payload?.answer as Item),
  );
}

/** What a reference to a session names. */
function sessionOf(reference: string | null, own: Account, other: Account): string {
  const [, place, of] = /^@session:(\d)(?::(twin))?$/.exec(reference ?? '') ?? [];
  return place === undefined ? (reference ?? '') : ((of ? other : own).sessions[Number(place)]?.id as string);
}
