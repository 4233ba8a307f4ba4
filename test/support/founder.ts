import { expect } from 'vitest';
import { insertUser } from './fixtures.ts';
import { send } from './send.ts';
import type { TestServer } from './server.ts';
import { signIn } from './sign-in.ts';
import { join, type Person } from './team.ts';

/** Somebody with an account and no organization. */
export async function founder(server: TestServer, address?: string) {
  const { id: userId, email } = await insertUser(server.orm, address ? { email: address } : {});
  const { accessToken } = await signIn(server.url, email);
  const found = (name = 'Founded') => send<{ id: string }>(server, { accessToken }, 'POST /organizations', { name });
  const execute = (statement: string) => server.execute(statement, [userId]);
  const mine = 'id in (select organization_id from membership where user_id = ?)';
  const passDays = (days: number) =>
    execute(`update organization set created_at = created_at - interval '${days} days' where ${mine}`);
  const growOlder = (days: number) =>
    execute(`update "user" set created_at = created_at - interval '${days} days' where id = ?`);
  return { userId, accessToken, found, passDays, growOlder };
}

/** A manager of each of so many organizations that one user has founded, three a day. */
export async function managersOf(server: TestServer, count: number): Promise<Person[]> {
  const { found, passDays } = await founder(server);
  const managers: Person[] = [];
  for (let each = 0; each < count; each += 1) {
    if (each % 3 === 0) await passDays(1);
    const { status, text, body } = await found();
    expect(status, text).toBe(201);
    managers.push(await join(server, body.id, 'manager'));
  }
  return managers;
}
