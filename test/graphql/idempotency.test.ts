import { describe, expect, it } from 'vitest';
import { graphql } from '../support/graphql.ts';
import { send } from '../support/send.ts';
import { serveTeam } from '../support/team.ts';

const { server, team } = await serveTeam();

const create = (name: string, alias = 'made') =>
  `${alias}: createEvent(input: { name: "${name}", dateStart: "2027-05-01T10:00:00Z", dateEnd: "2027-05-01T12:00:00Z" }) { event { id name } }`;

const run = (key: string, document: string) =>
  graphql(server, team.manager, document, undefined, { 'idempotency-key': key });

const count = async () => Number((await send(server, team.manager, 'GET /events/count')).text);

describe('Idempotency-Key on /graphql', () => {
  it('takes everything back if one mutation of the operation fails, and keeps nothing', async () => {
    const before = await count();
    const document = `mutation { ${create('Good')} ${create('', 'bad')} }`;
    const failed = await run('b', document);
    expect(failed.data).toBeNull();
    expect(failed.errors?.map(({ extensions }) => extensions.code)).toEqual(['VALIDATION_ERROR']);
    expect(await count()).toBe(before);
    // without a key each mutation is on its own
    expect((await graphql(server, team.manager, document)).data).toMatchObject({ made: { event: { name: 'Good' } } });
    expect((await run('b', `mutation { ${create('Good')} }`)).errors).toBeUndefined();
  });

  it('is not looked at for queries, and refused if it is malformed', async () => {
    expect((await run('a b', '{ viewer { name } }')).errors).toBeUndefined();
    const refused = await run('a b', `mutation { ${create('x')} }`);
    expect(refused.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  });

  it('is not looked at by mutations of the own account, whose refusals stay in the audit trail', async () => {
    const change =
      'mutation { changePassword(input: {currentPassword: "not this one", password: "another good one"}) { clientMutationId } }';
    const refused = await run('account', change);
    expect(refused.errors?.[0]?.extensions.code).toBe('INVALID_CREDENTIALS');
    const { data } = await graphql(
      server,
      team.owner,
      '{ organization { auditEntries(where: {action: {eq: PASSWORD_REFUSED}}) { nodes { actorDatabaseId } } } }',
    );
    expect(data).toEqual({ organization: { auditEntries: { nodes: [{ actorDatabaseId: team.manager.userId }] } } });
    const rename = 'mutation { updateProfile(input: {name: "A manager"}) { clientMutationId } }';
    for (const answer of [await run('renamed', rename), await run('renamed', rename)]) {
      expect([answer.errors, answer.headers.get('idempotency-replayed')]).toEqual([undefined, null]);
    }
  });
});
