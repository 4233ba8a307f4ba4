import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { badge, look, ways } from '../support/erasing.ts';
import { insertMember, insertMembership, insertOrganization, password } from '../support/fixtures.ts';
import { holding, untilLocked } from '../support/locks.ts';
import { runOut } from '../support/public-world.ts';
import { type Caller, expectCode, pointersOf, send } from '../support/send.ts';
import { createTeam, isAccepted, join, type Person, post, serve } from '../support/server.ts';
import { created, mutate, restFace } from '../support/write-faces.ts';

// When a person cannot erase their account, what becomes of the answers of a member who is removed, and requests that meet an
// erasure (reference/leaving.md).

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
    await insertMember(server.orm, { organizationId: team.organizationId, role: 'owner', verified: false });
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
});

it('an organization of which somebody else is an owner stays as it is', async () => {
  const { id: organizationId } = await insertOrganization(server.orm);
  const [one, two] = [await join(server, organizationId, 'owner'), await join(server, organizationId, 'owner')];
  expect((await send(server, one, 'DELETE /auth/me', { password })).body).toBe(true);
  // of two last owners at once, one stays
  expectCode(await send(server, two, 'DELETE /auth/me', { password }), 409, 'CONFLICT');
  const pair = [await join(server, organizationId, 'owner'), two];
  const answers = await Promise.all(pair.map((owner) => send(server, owner, 'DELETE /auth/me', { password })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

describe('removing a member with erase_answers', () => {
  const removals: [string, (caller: Caller, id: string, erases: boolean) => Promise<{ text: string }>][] = [
    ['in the body', (caller, id, erases) => send(server, caller, `DELETE /members/${id}`, { erase_answers: erases })],
    [
      'in the query string',
      (caller, id, erases) => send(server, caller, `DELETE /members/${id}?erase_answers=${erases}`),
    ],
    [
      'by GraphQL',
      (caller, id, eraseAnswers) => mutate(server, caller, 'removeMember', 'removedMembershipId', { id, eraseAnswers }),
    ],
  ];

  it.each(removals)('%s: erases the answers of that organization alone, past ones too', async (_, remove) => {
    for (const by of ['manager', 'member'] as const) {
      for (const erases of [true, false]) {
        const team = await createTeam(server);
        const leaver = await join(server, team.organizationId, 'member');
        const other = await createTeam(server);
        await insertMembership(server.orm, { organizationId: other.organizationId, userId: leaver.userId });
        const secret = randomUUIDv7();
        const rows: [Person, string, string][] = [];
        for (const { manager } of [team, team, other]) {
          const { id: event } = await created(restFace(server), manager);
          await send(server, manager, `PUT /events/${event}/form`, { questions: [badge] });
          const caller = { ...leaver, organizationId: manager.organizationId };
          const answers = { badge: secret };
          const { body } = await send<{ id: string }>(server, caller, `POST /events/${event}/subscriptions`, {
            answers,
          });
          rows.push([manager, event, body.id]);
        }
        const [, past] = rows as [[Person, string, string], [Person, string, string]];
        await runOut(server, past[1]);
        const removed = await remove(by === 'member' ? leaver : team.manager, leaver.membershipId, erases);
        expect(removed.text).not.toContain('"code"');
        const answers = await Promise.all(rows.map(([manager, event, id]) => look(server, manager, event, id)));
        const kept = { badge: secret };
        expect(answers.map(({ body }) => body.answers)).toEqual(erases ? [null, null, kept] : [kept, kept, kept]);
        expect(answers.map(({ body }) => body.status)).toEqual(['cancelled', 'accepted', 'accepted']);
        // whoever leaves keeps their name
        expect(answers[1]?.body.user).toMatchObject({ name: 'A member', email: leaver.email });
      }
    }
  });

  it('refuses anything else', async () => {
    const team = await createTeam(server);
    const path = `DELETE /members/${team.member.membershipId}`;
    for (const value of ['yes', '', '1']) {
      const answer = await send(server, team.manager, `${path}?erase_answers=${value}`);
      expectCode(answer, 400, 'INVALID_QUERY');
      expect(pointersOf(answer)).toEqual(['/erase_answers']);
    }
    const wrong = await send(server, team.manager, path, { erase_answers: 'yes' });
    expectCode(wrong, 400, 'VALIDATION_ERROR');
    expect(pointersOf(wrong)).toEqual(['/erase_answers']);
    expectCode(await send(server, team.manager, path, { erase: true }), 400, 'VALIDATION_ERROR');
    expect((await send(server, team.manager, path)).body).toBe(true);
  });
});

/** Lets a request in while an erasure waits for the lock on the account, so that its turn comes after it. */
async function afterErasing<T>(person: Person, request: () => Promise<T>): Promise<T> {
  const held = await holding(server, 'select from "user" where id = ? for no key update', [person.userId]);
  const erased = send(server, person, 'DELETE /auth/me', { password });
  await untilLocked(server);
  const signedIn = vi.spyOn(server.services.access, 'findSession');
  const answer = request();
  // from here on it waits for the same lock, or with a password for the turn of the account
  await expect.poll(() => signedIn.mock.settledResults.length).toBeGreaterThan(0);
  signedIn.mockRestore();
  await held.rollback();
  expect((await erased).body).toBe(true);
  return await answer;
}

describe('after an erasure, a request that was let in before it', () => {
  it.each(ways)('$name: finds no account, and leaves no trace of a refusal', async ({ erase }) => {
    const { member } = await createTeam(server);
    const second = await afterErasing(member, () => erase(server, member, { password }));
    expect(second.code).toBe('INVALID_TOKEN');
    const traces = `select action from audit_entry where actor_id = ? and (ip is not null or user_agent is not null)`;
    expect(await server.execute(traces, [member.userId])).toEqual([]);
  });

  it('gives the user no name, no password and no organization', async () => {
    const name = `Nobody ${randomUUIDv7()}`;
    const user = 'select name, email, password_hash from "user" where id = ?';
    const passwords = { current_password: password, password: 'another long phrase' };
    for (const [operation, input] of [
      ['PATCH /auth/me', { name }],
      ['POST /auth/change-password', passwords],
      ['POST /organizations', { name }],
    ] as const) {
      const { member } = await createTeam(server);
      const answer = await afterErasing(member, () =>
        send(server, { accessToken: member.accessToken }, operation, input),
      );
      expectCode(answer, 401, 'INVALID_TOKEN');
      expect(await server.execute(user, [member.userId])).toEqual([
        { name: 'Deleted user', email: null, password_hash: null },
      ]);
      expect(await server.execute('select from membership where user_id = ?', [member.userId])).toEqual([]);
    }
    expect(await server.execute('select from organization where name = ?', [name])).toEqual([]);
  });
});
