import fc from 'fast-check';
import { routesOfTest as routes } from '../support/routes.ts';
import type { Asking } from './batch.ts';
import { graphqlBody } from './hostile-documents.ts';
import { body, headers, query, types } from './hostile-parts.ts';
import { anyReference } from './references.ts';
import { oddTexts } from './values.ts';

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
