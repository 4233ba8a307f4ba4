import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractFaults, type Published } from '../release/gate.ts';
import { lastRelease, readContract, unreleasedPart } from '../release/published.ts';
import type { Json } from '../release/rest-breaks.ts';

const root = path.join(import.meta.dirname, '..');
const today = new Date().toISOString().slice(0, 10);

it('the interface breaks nothing of the last release that the changelog does not announce', async () => {
  const before = readContract(path.join(root, 'docs', 'releases', lastRelease(root)));
  const unreleased = unreleasedPart(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'));
  expect(await contractFaults(before, readContract(root), unreleased, today)).toEqual([]);
});

describe('the gate', () => {
  const before = readContract(root);

  interface Operation {
    parameters: Json[];
    requestBody: {
      content: { 'application/json': { schema: { $ref?: string; properties: Json; required?: string[] } } };
    };
  }
  interface Document {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, { properties: Json; required?: string[] }> };
  }

  /** The faults after a change. */
  async function faults(
    { rest, graphql }: { rest?: (document: Document) => void; graphql?: (schema: string) => string },
    { unreleased = '', from = before }: { unreleased?: string; from?: Published } = {},
  ) {
    const after = structuredClone(from);
    rest?.(after.openapi as unknown as Document);
    after.schema = graphql?.(after.schema) ?? after.schema;
    if (graphql) expect(after.schema).not.toBe(from.schema);
    return await contractFaults(from, after, unreleased, '2027-06-01');
  }

  const dropIp = {
    rest: ({ components }: Document) => {
      delete components.schemas.Session?.properties.ip;
    },
    graphql: (schema: string) =>
      schema.replace(/(type Session implements [^{]*\{[\s\S]*?)\n {2}"[^\n]*\n {2}ip: String[^\n]*\n/, '$1'),
  };

  it('refuses a field that leaves both faces without a line and a deprecation', async () => {
    expect(await faults(dropIp)).toEqual([
      expect.stringMatching(/^REST: .*`Session.ip`" of the changelog/),
      'REST: `Session.ip` is removed, but was not deprecated.',
      expect.stringMatching(/^GraphQL: .*`Session.ip`" of the changelog/),
      'GraphQL: `Session.ip` is removed, but was not deprecated.',
    ]);
  });

  it.each([
    ['2027-05-31', []],
    [
      '2027-06-01',
      ['REST', 'GraphQL'].map((face) => `${face}: \`Session.ip\` is removed, but promised until 2027-06-01.`),
    ],
  ])('with a line of the changelog, lets a field go after its sunset: %s', async (sunset, expected) => {
    const from = structuredClone(before);
    const { schemas } = (from.openapi as unknown as Document).components;
    Object.assign(schemas.Session?.properties.ip as Json, { deprecated: true, 'x-sunset': sunset });
    from.schema = from.schema.replace(
      /(type Session implements [^{]*\{[\s\S]*?\n {2}ip: String)\n/,
      `$1 @deprecated(reason: "Use \`network\`. Sunset: ${sunset}.")\n`,
    );
    const unreleased = '- **Breaking** `Session.ip` is gone: use `network`.\n';
    expect(await faults(dropIp, { unreleased, from })).toEqual(expected);
  });

  it('refuses a field that breaks on one face and stays on the other', async () => {
    const unreleased = '- **Breaking** `Session.ip` may be absent.\n';
    const alone = (face: string) => `\`Session.ip\` breaks in ${face} alone: both faces show a noun's field alike.`;
    expect(await faults({ rest: dropIp.rest }, { unreleased })).toContain(alone('REST'));
    expect(await faults({ graphql: dropIp.graphql }, { unreleased })).toContain(alone('GraphQL'));
  });

  it.each<[string, (document: Document) => void, string]>([
    ['a path', ({ paths }) => void delete paths['/events/export'], 'GET /events/export'],
    ['an operation', ({ paths }) => void delete paths['/events']?.post, 'POST /events'],
    ['a parameter', ({ paths }) => void paths['/events']?.get?.parameters.pop(), 'GET /events?fields'],
    [
      'a value of another type in a response',
      ({ components }) => {
        Object.assign(components.schemas.Event?.properties.name as Json, { type: ['string', 'null'] });
      },
      'Event.name',
    ],
  ])('refuses in REST a change of %s', async (_title, rest, name) => {
    expect((await faults({ rest })).join('\n')).toContain(`\`${name}\``);
  });

  it('refuses in GraphQL an argument that becomes required', async () => {
    const graphql = (schema: string) =>
      schema.replace(/(input UpdateOrganizationInput [\s\S]*?signup: OrganizationSignup)\n/, '$1!\n');
    expect((await faults({ graphql })).join('\n')).toContain('`UpdateOrganizationInput.signup`');
  });

  it('lets additions pass', async () => {
    const rest = ({ components }: Document) => Object.assign(components.schemas.Event?.properties ?? {}, { more: {} });
    const graphql = (schema: string) => schema.replace(/(type Event implements [^{]*\{\n)/, '$1  more: String\n');
    expect(await faults({ rest, graphql })).toEqual([]);
  });
});
