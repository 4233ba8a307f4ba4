import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { ways } from '../support/erasing.ts';
import { password } from '../support/fixtures.ts';
import { expectCode, send } from '../support/send.ts';
import { serve } from '../support/server.ts';
import { createTeam, type Person } from '../support/team.ts';

// What a person sent before their account was erased, and what is done after that (reference/leaving.md#erasing-ones-account).

const server = await serve({ env: { RATE_LIMIT: 'off' } });

const waiting = async () =>
  (await server.execute(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length;

/** Lets a request in while an erasure waits for the lock on the account, so that its turn comes after it. */
async function afterErasing<T>(person: Person, request: () => Promise<T>): Promise<T> {
  const held = server.orm.em.fork();
  await held.begin();
  await held.execute('select from "user" where id = ? for no key update', [person.userId]);
  const erased = send(server, person, 'DELETE /auth/me', { password });
  await expect.poll(waiting).toBeGreaterThan(0);
  const signedIn = vi.spyOn(server.services.access, 'findSession');
  const answer = request();
  // from here on it waits for the same lock, or with a password for the turn of the account
  await expect.poll(() => signedIn.mock.settledResults.length).toBeGreaterThan(0);
  signedIn.mockRestore();
  await held.rollback();
  expect((await erased).body).toBe(true);
  return await answer;
}

const erasedUser = async (id: string) =>
  await server.execute('select name, email, password_hash from "user" where id = ?', [id]);

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
      expect(await erasedUser(member.userId)).toEqual([{ name: 'Deleted user', email: null, password_hash: null }]);
      expect(await server.execute('select from membership where user_id = ?', [member.userId])).toEqual([]);
    }
    expect(await server.execute('select from organization where name = ?', [name])).toEqual([]);
  });
});
