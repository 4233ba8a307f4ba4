import fc from 'fast-check';
import { type Names, randomDocument } from '../graphql/random-document.ts';
import { nastyBodies, nastyForms, nastyTexts, nastyValues } from '../support/nasty.ts';
import { routesOfTest as routes } from '../support/routes.ts';
import type { Asking } from './batch.ts';
import { anyReference } from './references.ts';
import { oddTexts } from './values.ts';

// What requests are made of that no client means.

const parameterNames = 'where limit token sort fields include max from version format since'.split(' ');
const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('{"$or":[{"status":1}]}', '{"id":{"$in":[]}}', '{"status":1e999}'),
);
const odd = fc.oneof(oddTexts, json, anyReference, fc.constantFrom(...Object.values(nastyTexts(300))));
const query = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parameterNames), oddTexts), odd), { maxLength: 4 });

/** Bytes that a header may have: anything but the ends of lines and NUL. */
const headerText = fc.oneof(
  fc.constantFrom(
    'a'.repeat(255),
    'a'.repeat(300),
    '\xff\xfe',
    '',
    '"1", "2"',
    ...'"1" * W/"1" 0 bytes=0- gzip text/csv'.split(' '),
  ),
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
);
const headerNames =
  `accept accept-language accept-encoding if-match if-none-match if-modified-since idempotency-key range
  x-forwarded-for x-forwarded-proto forwarded origin referer cookie traceparent x-request-id user-agent content-encoding
  content-language x-http-method-override last-event-id prefer via sec-fetch-site`.split(/\s+/);
const headers = fc.array(fc.tuple(fc.constantFrom(...headerNames), headerText), { maxLength: 3 });

const fieldNames =
  `name slug status date_start date_end capacity ids user_id answers questions email role token where limit
  fields url kinds since password __proto__ constructor toString id form_version`.split(/\s+/);
const fieldValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddTexts,
  anyReference,
  fc.constantFrom(1e300, -0, 9_007_199_254_740_992),
);
const object = fc
  .dictionary(fc.constantFrom(...fieldNames), fieldValue, { maxKeys: 5 })
  .map((each) => JSON.stringify(each));
const nasty = fc.constantFrom(
  ...Object.values(nastyBodies(2_000)),
  ...Object.values(nastyValues(2_000)).map((each) => JSON.stringify(each)),
  ...Object.values(nastyForms(2_000)),
);
const types = [...Array<string>(3).fill('application/json'), 'application/json; charset=utf-16', 'text/plain', ''];
const otherTypes = [
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/problem+json', '\xff'],
];
const body = fc.record({
  type: fc.constantFrom(...types, ...types, ...otherTypes),
  text: fc.oneof(
    { weight: 4, arbitrary: object },
    { weight: 2, arbitrary: json },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: oddTexts },
  ),
});

/** Documents of GraphQL and what comes with them; the names in them are references. */
const names: Names = {
  globalIds: ['event', 'subscription', 'membership'].flatMap((noun) =>
    ['', ':twin', ':third'].map((whose) => `@${noun}:0${whose}`),
  ),
  eventIds: ['@event:0', '@event:1', '@event:2:twin', '@event:3:third'],
  cursors: ['x', 'AAAA', ''],
};
const document = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 200, size: 'max' }).map((numbers) => {
  const { query: text, variables, operationName } = randomDocument(numbers, names);
  return { query: text, variables, operationName };
});
const mutation = fc.record({
  query: fc
    .tuple(
      fc.constantFrom(
        ...'createEvent updateEvent inviteMember subscribeToEvent setEventForm acceptInvitation'.split(' '),
      ),
      json,
    )
    .map(
      ([name, input]) => `mutation { ${name}(input: ${input.replaceAll(/"(\w+)":/g, '$1:')}) { clientMutationId } }`,
    ),
});
const graphqlBody = fc.oneof(
  { weight: 6, arbitrary: document.map((each) => JSON.stringify(each)) },
  {
    weight: 2,
    arbitrary: fc.tuple(document, fieldValue).map(([each, variables]) => JSON.stringify({ ...each, variables })),
  },
  { weight: 2, arbitrary: mutation.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.array(document, { maxLength: 3 }).map((each) => JSON.stringify(each)) },
  {
    weight: 1,
    arbitrary: fc
      .record(
        { query: oddTexts, extensions: fieldValue, documentId: oddTexts, operationName: fieldValue },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each)),
  },
);

/** A request that no client means. */
export interface HostileCase {
  kind: 'hostile';
  asking: Asking;
  method: string;
  path: string;
  /** In place of `{name}` in the path, in turn. */
  parameters: string[];
  query: [string, string][];
  headers: [string, string][];
  /** Names that are left out, or sent twice with another value. */
  organization: 'as it is' | 'none' | 'twice' | 'nonsense';
  body: { type: string; text: string } | null;
  /** Bytes to break the body at. */
  broken: number | null;
}

// what waits is no answer, and what ends the sessions of those who ask would let everything else be refused
const usable = routes.filter(
  ({ path, access }) => path !== '/auth/logout' && (!path.startsWith('/auth/') || access === 'none'),
);
const targets = [
  ...usable.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
  ...['GET /openapi.json', 'GET /healthz', 'GET /readyz', 'GET /errors', 'GET /', 'GET /graphql', 'GET /{nowhere}'],
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];

const asking = fc.record({
  actor: fc.constantFrom<Asking['actor'][]>('owner', 'owner', 'owner', 'manager', 'member', 'outsider', null),
  // not the twins, which would then differ
  side: fc.constantFrom<Asking['side'][]>('ground', 'ground', 'ground', 'third'),
  service: fc.nat(1),
});
const organization = fc.constantFrom<HostileCase['organization'][]>(
  ...Array<'as it is'>(12).fill('as it is'),
  ...(['none', 'twice', 'nonsense'] as const),
);
const broken = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(400) });
const common = { kind: fc.constant('hostile' as const), asking, headers, organization, broken };

const rest: fc.Arbitrary<HostileCase> = fc.constantFrom(...targets).chain((target) => {
  const [method = '', path = ''] = target.split(' ');
  return fc.record({
    ...common,
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...methods) },
    ),
    path: fc.constant(path),
    parameters: fc.array(fc.oneof({ weight: 3, arbitrary: anyReference }, { weight: 1, arbitrary: oddTexts }), {
      minLength: 3,
      maxLength: 3,
    }),
    query,
    body: fc.option(body, { freq: method === 'GET' ? 1 : 6 }),
  });
});
const graphql: fc.Arbitrary<HostileCase> = fc.record({
  ...common,
  method: fc.constant('POST'),
  path: fc.constant('/graphql'),
  parameters: fc.constant([]),
  query: fc.constant([]),
  body: fc.record({
    type: fc.constantFrom(...Array<string>(20).fill('application/json'), ...types),
    text: graphqlBody,
  }),
});

export const hostile: fc.Arbitrary<HostileCase> = fc.oneof(
  { weight: 3, arbitrary: rest },
  { weight: 2, arbitrary: graphql },
);
