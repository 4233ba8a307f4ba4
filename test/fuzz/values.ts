import fc from 'fast-check';
import { reference } from './references.ts';
import { knownPassword } from './world.ts';

// What writes are made of, in the words of REST. Both faces take the same values but for two: null for what cannot be null
// is absent in GraphQL (reference/writes.md#bodies), and a number is an id there. Neither is among these.

const often = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<unknown>, weight = 14): fc.Arbitrary<unknown> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
const some = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>;

/** Texts that are long, empty, or of characters that few people type. */
export const oddTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    ...['', ' ', '\t\n', 'a\u0000b', 'a\u0007b', 'half \ud83d pair', '\u202eltr', '\ufeff', '\u2028', '🎷'.repeat(101)],
    ...[200, 201, 501, 20_001].map((length) => 'x'.repeat(length)),
    ...'İıßſﬁ <b> =1+1 {{x}} __proto__'.split(' '),
  ),
);
/** What is of another type wherever it stands. */
const otherType = fc.constantFrom<unknown>(5, 1.5, true, ['x'], { a: 1 }, [], {}, 4_294_967_296, -0, 1e300);
const text = (usual: readonly string[]) =>
  fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...usual) },
    { weight: 4, arbitrary: oddTexts },
    { weight: 1, arbitrary: otherType },
  );
const nullable = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { freq: 8 });
const member = (members: readonly unknown[]) =>
  often(fc.constantFrom(...members), fc.constantFrom('nonsense', '', true, {}));
const flag = often(fc.boolean(), fc.constantFrom('yes', 1, {}, ['x', true]));

const times = often(
  fc.constantFrom(
    ...['2127-05-01T10:00:00Z', '2127-05-01T12:00:00+02:00', '2127-06-01T12:00:00.123Z', '2127-05-01T09:59:59.999Z'],
    ...['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z', '1900-01-01T00:00:00Z', '9999-12-31T23:00:00Z'],
  ),
  fc.constantFrom<unknown>(
    ...['1899-12-31T23:59:59Z', '10000-01-01T00:00:00Z', '2127-02-30T10:00:00Z', '2127-05-01 12:00'],
    ...['', 'now', 7, true],
    ...['2127-05-01T24:00:00Z', '2127-05-01T10:00:60Z', '0000-01-01T00:00:00Z', '2127-05-01T10:00:00+99:00'],
  ),
);
const capacity = often(
  fc.constantFrom(0, 1, 2, 3, 10, 1_000_000),
  fc.constantFrom<unknown>(-1, 1_000_001, 1.5, '5', 4_294_967_296, 1e300, true, []),
);
const unknownField = fc.constantFrom('version', 'accepted_count', 'nonsense', 'id2', 'organization_id', 'constructor');

const eventFields = {
  name: text(['Open Day', 'Jazz Night', 'Café Müller', ' trimmed ', '!!!', 'x'.repeat(200)]),
  slug: text(`open-day jazz a a-1 event-0 event-3 event-5 calendar ${'x'.repeat(80)} Not_A_Slug a--b`.split(' ')),
  description: nullable(text(['Words', 'Words\nwith lines', ''])),
  date_start: times,
  date_end: times,
  timezone: text(['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Mars/Olympus', '+02:00']),
  location: nullable(text(['Hall 1', ' Hall 2 ', 'x'.repeat(500)])),
  capacity: nullable(capacity),
  visibility: member(['public', 'organization']),
  registration: member(['open', 'approval', 'closed']),
  waiting_list: flag,
};
const status = often(fc.constantFrom(0, 1, 1, 2, 3), fc.constantFrom<unknown>(-1, 4, 99, {}, true, 1.5));
const notify = flag;

/** Sometimes a field that there is not. */
const spoilt = (fields: fc.Arbitrary<Record<string, unknown>>) =>
  fc.oneof(
    { weight: 25, arbitrary: fields },
    { weight: 1, arbitrary: fc.tuple(fields, unknownField).map(([given, name]) => ({ ...given, [name]: 'x' })) },
  );
/** Only a few of the fields, so that most of what is sent is right. */
function few(fields: Record<string, fc.Arbitrary<unknown>>, always: string[] = []) {
  const others = Object.keys(fields).filter((name) => !always.includes(name));
  const chosen = fc.subarray(others, { maxLength: Math.min(3, others.length) });
  return chosen.chain((names) =>
    fc.record(Object.fromEntries([...always, ...names].map((name) => [name, fields[name] as fc.Arbitrary<unknown>]))),
  );
}

const dates = fc.constantFrom(
  { date_start: '2127-05-01T10:00:00Z', date_end: '2127-05-01T12:00:00Z' },
  { date_start: '2127-05-01T10:00:00Z', date_end: '2127-05-01T10:00:00Z' },
  { date_start: '2020-05-01T10:00:00Z', date_end: '2020-05-01T12:00:00Z' },
  {},
);
const initialStatus = often(fc.constantFrom(0, 1, 1), status);
export const newEvent = spoilt(
  fc
    .tuple(dates, few({ ...eventFields, status: initialStatus }, ['name']))
    .map(([given, fields]) => ({ ...given, ...fields })),
);
export const changedEvent = spoilt(few({ ...eventFields, status, notify, capacity: nullable(capacity) }));
export const copiedEvent = spoilt(few({ ...eventFields, status: initialStatus }));

const questionOf = some(
  {
    key: text(['diet', 'size', 'a', 'x1_y']),
    type: member(['text', 'long_text', 'number', 'choice', 'choices', 'boolean', 'date']),
    label: text(['Diet', 'Size?']),
    required: flag,
    options: fc.constantFrom<unknown>(
      [{ value: 'a', label: 'A' }],
      [
        { value: 'a', label: 'A' },
        { value: 'a', label: 'B' },
      ],
    ),
  },
  ['key', 'type', 'label'],
);
/** Without bounds, which are numbers in REST and texts in GraphQL. */
export const questions = fc.array(questionOf, { maxLength: 3 });

export const subscriptionStatus = member(['pending', 'accepted', 'declined', 'waitlisted', 'cancelled']);
const answers = nullable(
  fc.constantFrom<unknown>(
    {},
    { diet: 'none' },
    { diet: 'x', size: 'y' },
    { nonsense: 1 },
    { 'a/b~c': 1 },
    { diet: 5 },
    JSON.parse('{"__proto__": 1}'),
  ),
);
const formVersion = often(fc.constantFrom(0, 1, 2), fc.constantFrom<unknown>(-1, 99, 1.5, 'x'));
const subscriptionFields = { status: subscriptionStatus, answers, form_version: formVersion, notify };
export const newSubscription = spoilt(
  few({
    ...subscriptionFields,
    user_id: often(reference('user'), fc.constantFrom('nonsense', '', '@actor:3', '@actor:0')),
  }),
);
export const changedSubscription = spoilt(few(subscriptionFields, ['status']));

export const organization = spoilt(
  few({
    name: text(['Fuzz', 'Harbour Arts']),
    description: nullable(text(['**Words**'])),
    website: nullable(text(['https://example.org/', 'ftp://example.org', 'javascript:1', 'https://x', '//x'])),
    contact_email: nullable(text(['a@example.org', 'A@EXAMPLE.org', 'nonsense', 'a@b'])),
    accent: nullable(text(['#112233', '#AABBCC', 'red', '#12'])),
  }),
);

export const role = few({ role: member(['owner', 'manager', 'member']) }, ['role']);

/** A member who does not ask here, so that those who do keep their roles. */
export function memberBeyondActors(fields?: fc.Arbitrary<Record<string, unknown>>) {
  const object = fc.integer({ min: 3, max: 8 }).map((place) => `@membership:${place}`);
  const others = fc.constantFrom('@membership:4:third', '@membership:4:twin', 'nonsense');
  const chosen = fc.oneof({ weight: 10, arbitrary: object }, { weight: 1, arbitrary: others });
  return fc.record({ object: chosen, ...(fields ? { fields } : {}) });
}

export const invitation = spoilt(
  few(
    {
      email: text(['guest@example.org', 'second@example.org', 'nonsense', 'a@b@c', 'ü@example.org']),
      role: member(['owner', 'manager', 'member']),
    },
    ['email', 'role'],
  ),
);
export const newKey = spoilt(
  few(
    {
      name: text(['Machine', 'x'.repeat(100)]),
      role: member(['manager', 'member', 'owner']),
      access: member(['read', 'write']),
      expires_at: nullable(
        often(fc.constantFrom('2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z', '2127-01-01T00:00:00Z'), times),
      ),
    },
    ['name', 'role'],
  ),
);
export const changedKey = spoilt(few({ name: text(['Machine', 'Another']) }, ['name']));
const webhookFields = {
  // no name of this zone is ever resolved (RFC 6761)
  url: text([
    ...['https://hooks.invalid/a', 'https://hooks.invalid/b', 'http://hooks.invalid/', 'https://127.0.0.1/', 'x'],
    'https://[::1]/',
  ]),
  description: text(['For tests']),
};
export const newWebhook = spoilt(few(webhookFields, ['url']));
export const changedWebhook = spoilt(few({ ...webhookFields, status: member(['active', 'paused', 'disabled']) }));

/** A name of a person or an organization; also what a token is not. */
export const accountText = text(['Ada', 'Ada Lovelace', ' trimmed ', 'x'.repeat(200), 'Harbour Arts']);
export const password = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(knownPassword, 'another horse battery', 'wrong horse battery') },
  { weight: 1, arbitrary: text(['short', 'password', 'x'.repeat(300), 'aaaaaaaaaaaa']) },
);
