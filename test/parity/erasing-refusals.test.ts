import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ways } from '../support/erasing.ts';
import { insertMember, insertOrganization, password } from '../support/fixtures.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { isAccepted, post } from '../support/sign-in.ts';
import { createTeam, join } from '../support/team.ts';

// When a person cannot erase their account (reference/leaving.md).

const server = await serve({ env: { RATE_LIMIT: 'off' } });
const limited = await serve({ env: { RATE_LIMIT: 'on' } });

describe.each(ways)('$name', ({ erase }) => {
  it('refuses a wrong password before all else, and the last owner, whose organization it names', async () => {
    const team = await createTeam(server);
    const { owner } = team;
    const wrong = await erase(server, owner, { password: 'wrong password' });
    expect(wrong).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const name = `Chess & Co ${randomUUIDv7()}`;
    await send(server, owner, 'PATCH /organization', { name });
    const last = await erase(server, owner, { password });
    expect(last).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining(name) });
    // an owner whose address is not proven is none
    const unproven = await insertMember(server.orm, {
      organizationId: team.organizationId,
      role: 'owner',
      name: 'X',
      email: `${randomUUIDv7()}@example.org`,
    });
    await server.execute('update "user" set verified_at = null where id = ?', [unproven.id]);
    expect((await erase(server, owner, { password })).code).toBe('CONFLICT');
    expect(await isAccepted(server.url, owner.accessToken)).toBe(true);
    await send(server, owner, `PATCH /members/${team.manager.membershipId}`, { role: 'owner' });
    expect((await erase(server, owner, { password })).code).toBeNull();
  });

  it('counts a wrong password as a failed sign-in', async () => {
    const { member } = await createTeam(limited);
    for (let count = 0; count < 10; count += 1) {
      expect((await erase(limited, member, { password: 'wrong password' })).code).toBe('INVALID_CREDENTIALS');
    }
    expect((await erase(limited, member, { password })).code).toBe('RATE_LIMITED');
    expect((await post(`${limited.url}/auth/login`, { email: member.email, password })).status).toBe(429);
  });

  it('takes a password and nothing else', async () => {
    const { member } = await createTeam(server);
    const answers = [await erase(server, member, {}), await erase(server, member, { password, further: 1 })];
    for (const { code } of answers) expect(['VALIDATION_ERROR', 'GRAPHQL_VALIDATION_FAILED']).toContain(code);
    expect(await isAccepted(server.url, member.accessToken)).toBe(true);
    expect((await erase(server, {}, { password })).code).toBe('INVALID_TOKEN');
  });

  it('is not for keys', async () => {
    const { owner } = await createTeam(server);
    const made = await send<{ secret: string }>(server, owner, 'POST /api-keys', {
      ...{ name: 'Robot', role: 'manager', access: 'write' },
    });
    expect((await erase(server, { accessToken: made.body.secret }, { password })).code).toBe('FORBIDDEN');
  });
});

describe('an organization', () => {
  it('of which somebody else is an owner stays as it is', async () => {
    const { id: organizationId } = await insertOrganization(server.orm);
    const [one, two] = [await join(server, organizationId, 'owner'), await join(server, organizationId, 'owner')];
    expect((await send(server, one, 'DELETE /auth/me', { password })).body).toBe(true);
    // of two last owners at once, one stays
    expectCode(await send(server, two, 'DELETE /auth/me', { password }), 409, 'CONFLICT');
    const pair = [await join(server, organizationId, 'owner'), two];
    const answers = await Promise.all(pair.map((owner) => send(server, owner, 'DELETE /auth/me', { password })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
