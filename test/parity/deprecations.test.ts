import { buildSchema, type GraphQLObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { changeOrganization } from '../../src/domain/organization/change-organization.ts';
import { endingReads, type ReadName } from '../../src/domain/reads.ts';
import type { Deprecation } from '../../src/kernel/deprecation.ts';

// What is going to end says so on both faces (reference/conventions.md#deprecations). The definitions are changed before the
// faces are made from them.
const ending: Deprecation = { since: '2026-11-24', sunset: '2027-05-24', instead: 'Use something else.' };
Object.assign(eventResource.fields.location, { deprecated: ending });
changeOrganization.deprecated = ending;
const { routesOfTest } = await import('../support/routes.ts');
// all that both faces read, but one
const reading = routesOfTest.flatMap(({ read }) => read ?? []).filter((name) => name !== 'organization');
for (const name of reading) endingReads[name as ReadName] = ending;

const { serveTeam } = await import('../support/server.ts');
const { send } = await import('../support/send.ts');
const { printedOpenapi } = await import('../../src/commands/printed-openapi.ts');
const { printedSchema } = await import('../../src/commands/printed-schema.ts');

const {
  server,
  team: { owner },
} = await serveTeam();

it('a deprecated field is marked in both descriptions, with the same day', () => {
  const { schemas } = JSON.parse(printedOpenapi()).components;
  expect(schemas.Event.properties.location).toMatchObject({ deprecated: true, 'x-sunset': '2027-05-24' });
  expect(schemas.Event.properties.name).not.toHaveProperty('deprecated');
  expect(printedSchema()).toContain('location: String @deprecated(reason: "Use something else. Sunset: 2027-05-24.")');
});

it('a deprecated command is marked in both descriptions', () => {
  expect(JSON.parse(printedOpenapi()).paths['/organization'].patch).toMatchObject({
    deprecated: true,
    'x-deprecation': 'Use something else. Sunset: 2027-05-24.',
  });
  expect(printedSchema()).toMatch(
    /UpdateOrganizationPayload @deprecated\(reason: "Use something else. Sunset: 2027-05-24."\)/,
  );
});

interface Operation {
  operationId: string;
  deprecated?: true;
  'x-graphql': string[];
}

it('a deprecated read is marked in both descriptions: lists with their counts, and what is read alone', () => {
  const { paths } = JSON.parse(printedOpenapi()) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const reads = operations.filter(
    ({ operationId }) => routesOfTest.find((each) => each.operationId === operationId)?.read,
  );
  // 13 lists by GET, by POST and counted, the log by GET and POST, and what is read alone
  expect(reads).toHaveLength(13 * 3 + 2 + 14);
  const schema = buildSchema(printedSchema());
  for (const { operationId, deprecated, 'x-graphql': twins } of reads) {
    if (operationId === 'getOrganization') continue;
    expect([operationId, deprecated]).toEqual([operationId, true]);
    for (const twin of twins) {
      const [type = '', field = ''] = twin.split('.');
      // these read more than this
      if (['Query.node', 'Query.organization'].includes(twin)) continue;
      const { deprecationReason } = (schema.getType(type) as GraphQLObjectType).getFields()[field] ?? {};
      expect([twin, deprecationReason]).toEqual([twin, 'Use something else. Sunset: 2027-05-24.']);
    }
  }
  const twinned = operations.filter((each) => each['x-graphql'].some((twin) => !twin.startsWith('Mutation.')));
  expect(twinned.map(({ operationId }) => operationId).sort()).toEqual(
    reads.map(({ operationId }) => operationId).sort(),
  );
  expect(schema.getQueryType()?.getFields().organization?.deprecationReason).toBeUndefined();
  expect(paths['/organization']?.get).not.toHaveProperty('deprecated');
});

it('each response of a deprecated read says so, refusals too', async () => {
  for (const [status, request, body] of [
    [200, 'GET /events'],
    [400, 'GET /events?where=x'],
    [200, 'GET /events/count'],
    [200, 'POST /events/query', {}],
    [404, 'GET /events/x'],
    [200, 'GET /auth/me'],
  ] as const) {
    const answer = await send(server, owner, request, body);
    expect([request, answer.status]).toEqual([request, status]);
    expect(answer.headers.get('deprecation')).toBe('@1795478400');
  }
});

it('each response of a deprecated operation says since when and until when, refusals too', async () => {
  for (const [status, body] of [
    [200, {}],
    [400, { name: '' }],
  ] as const) {
    const answer = await send(server, owner, 'PATCH /organization', body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('deprecation')).toBe('@1795478400');
    expect(answer.headers.get('sunset')).toBe('Mon, 24 May 2027 23:59:59 GMT');
  }
  expect((await send(server, owner, 'GET /organization')).headers.has('deprecation')).toBe(false);
});
