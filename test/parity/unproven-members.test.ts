import { describe, expect, it } from 'vitest';
import { Membership } from '../../src/domain/organization/membership.entity.ts';
import { User } from '../../src/domain/user/user.entity.ts';
import { globalId } from '../../src/schema/builder/global-id.ts';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { mailedToken, mailsTo } from '../support/guests.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { join, post, serve, signIn } from '../support/server.ts';

// an import may bring members whose address is not proven (guides/import-and-export.md#imports)
const server = await serve();
const organizationId = (await insertOrganization(server.orm)).id;
const owner = await join(server, organizationId, 'owner');
const { id, email } = await insertMember(server.orm, { organizationId, role: 'owner', verified: false });
const membership = await server.orm.em.fork().findOneOrFail(Membership, { user_id: id });
const dormant = { id, email, membershipId: membership.id };

const list = 'query { organization { members { totalCount nodes { databaseId } } } }';

describe('a member whose address is not proven', () => {
  it('is in no list and no count of either face', async () => {
    const rest = await send<{ length: number; items: { id: string }[] }>(server, owner, 'GET /members');
    expect(rest.body.items.map(({ id }) => id)).toEqual([owner.membershipId]);
    expect((await send(server, owner, 'GET /members/count')).body).toBe(1);
    const { data } = await graphql(server, owner, list);
    expect(data).toEqual({ organization: { members: { totalCount: 1, nodes: [{ databaseId: owner.membershipId }] } } });
  });

  it('is found by no id, not even by a manager', async () => {
    expectCode(await send(server, owner, `GET /members/${dormant.membershipId}`), 404, 'NOT_FOUND');
    const ids = [globalId('Membership', dormant.membershipId), globalId('User', dormant.id)];
    const { data } = await graphql(server, owner, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toEqual({ nodes: [null, null] });
  });

  it('is no owner who would let the last one go', async () => {
    expectCode(await send(server, owner, `DELETE /members/${owner.membershipId}`), 409, 'CONFLICT');
  });

  it('is neither promoted nor removed', async () => {
    const path = `/members/${dormant.membershipId}`;
    expectCode(await send(server, owner, `PATCH ${path}`, { role: 'manager' }), 404, 'NOT_FOUND');
    expectCode(await send(server, owner, `DELETE ${path}`), 404, 'NOT_FOUND');
    for (const mutation of ['updateMemberRole(input: {id: $id, role: MANAGER})', 'removeMember(input: {id: $id})']) {
      const document = `mutation ($id: ID!) { ${mutation} { clientMutationId } }`;
      const { errors } = await graphql(server, owner, document, { id: dormant.membershipId });
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    }
  });

  it('is not in the way of an invitation', async () => {
    const invited = await send(server, owner, 'POST /invitations', { email: dormant.email, role: 'member' });
    expect(invited.status).toBeLessThan(300);
    await mailsTo(server, dormant.email, 1);
  });

  it('is a member once verified, and no longer if the verification is undone', async () => {
    await post(`${server.url}/auth/verify-email-request`, { email: dormant.email });
    await post(`${server.url}/auth/verify-email`, { token: await mailedToken(server, dormant.email, 2) });
    expect((await send(server, owner, 'GET /members/count')).body).toBe(2);
    const { accessToken } = await signIn(server.url, dormant.email);
    const itself = { accessToken, organizationId };
    expect((await send(server, itself, 'GET /members/count')).body).toBe(2);

    // as an import with `verified: false` does
    await server.orm.em.fork().nativeUpdate(User, dormant.id, { verified_at: null });
    server.services.access.forgetUser(dormant.id);
    expect((await send(server, owner, 'GET /members/count')).body).toBe(1);
    expectCode(await send(server, itself, 'GET /members/count'), 403, 'ORGANIZATION_FORBIDDEN');
    const profile = await send<{ organizations: object[] }>(server, { accessToken }, 'GET /auth/me');
    expect(profile.body.organizations).toEqual([]);
    expect((await send(server, { accessToken }, 'GET /organizations/count')).body).toBe(0);
  });
});
