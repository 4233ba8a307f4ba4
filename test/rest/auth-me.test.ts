import { describe, expect, it } from 'vitest';
import { insertMembership, insertOrganization, insertUser } from '../support/fixtures.ts';
import { serve } from '../support/server.ts';
import { expectProblem, signIn } from '../support/sign-in.ts';

const server = await serve();

const me = (headers: Record<string, string> = {}) => fetch(`${server.url}/auth/me`, { headers });

describe('GET /auth/me', () => {
  it('answers the user with organizations and roles, by name', async () => {
    const { id, email } = await insertUser(server.orm, { name: 'Grace Hopper' });
    const zoo = await insertOrganization(server.orm, { name: 'Zoo' });
    const arena = await insertOrganization(server.orm, { name: 'Arena' });
    await insertOrganization(server.orm, { name: 'Somebody else' });
    await insertMembership(server.orm, { organizationId: zoo.id, userId: id, role: 'owner' });
    await insertMembership(server.orm, { organizationId: arena.id, userId: id, role: 'member' });
    const { accessToken } = await signIn(server.url, email);
    const response = await me({ authorization: `Bearer ${accessToken}` });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      id,
      email,
      name: 'Grace Hopper',
      organizations: [
        { id: arena.id, name: 'Arena', slug: arena.slug, role: 'member' },
        { id: zoo.id, name: 'Zoo', slug: zoo.slug, role: 'owner' },
      ],
    });
  });

  it('answers an empty list to a user without organizations', async () => {
    const { email } = await insertUser(server.orm);
    const { accessToken } = await signIn(server.url, email);
    expect(await (await me({ authorization: `bearer ${accessToken}` })).json()).toMatchObject({ organizations: [] });
  });

  it('refuses the token of a deleted user', async () => {
    const { id, email } = await insertUser(server.orm);
    const { accessToken } = await signIn(server.url, email);
    await server.execute(`delete from "user" where id = '${id}'`);
    await expectProblem(await me({ authorization: `Bearer ${accessToken}` }), 401, 'INVALID_TOKEN');
  });
});
