import { expect, it, vi } from 'vitest';
import { bearerToken } from '../../src/domain/session/access.ts';
import { Access } from '../../src/domain/session/active-sessions.ts';
import type { Database } from '../../src/engine/database.ts';
import { onlyValue } from '../../src/http/incoming.ts';

/** A database in which sessions belong to a user, or do not exist; counts what it is asked. */
function sessionsOf(userId: string | null) {
  const rows = userId === null ? [] : [{ user_id: userId, organization_id: null, role: null }];
  return { rows: vi.fn(async () => rows) } as unknown as Database & { rows: ReturnType<typeof vi.fn> };
}

/** Whether a session is cached. */
async function has(access: Access, sessionId: string): Promise<boolean> {
  const db = sessionsOf('somebody else');
  await access.findSession(db, sessionId);
  return db.rows.mock.calls.length === 0;
}

function enabled(): Access {
  const access = new Access();
  access.enable();
  return access;
}

const owned = [
  ['s1', 'ada'],
  ['s2', 'ada'],
  ['s3', 'bob'],
] as const;

it('Access caches a session, and the absence of one', async () => {
  const access = enabled();
  const ada = await access.findSession(sessionsOf('ada'), 's1');
  expect(ada?.userId).toBe('ada');
  expect(await access.findSession(sessionsOf(null), 's2')).toBeNull();
  const db = sessionsOf('bob');
  expect(await access.findSession(db, 's1')).toBe(ada);
  expect(await access.findSession(db, 's2')).toBeNull();
  expect(db.rows).not.toHaveBeenCalled();
  expect((await access.findSession(db, 's3'))?.userId).toBe('bob');
});

it.each<[Record<string, unknown>, boolean[]]>([
  [{ session: 's1' }, [false, true, true]],
  [{ user: 'ada', organization: 'o1' }, [false, false, true]],
  [{ all: true }, [false, false, false]],
  [{}, [false, false, false]],
])('a notification makes forget what %j names, and everything where it names nothing', async (change, left) => {
  const access = enabled();
  for (const [id, user] of owned) await access.findSession(sessionsOf(user), id);
  access.changed(change);
  expect(await Promise.all(owned.map(([id]) => has(access, id)))).toEqual(left);
});

it.each([
  [['BEARER  a.b.c'], 'a.b.c'],
  [['Bearer'], null],
  [['Bearer '], null],
  [[`Bearer ${' '.repeat(3000)}a.b.c`], null],
  [['Bearera.b.c'], null],
  [['Bearer a.b.c d'], null],
  [['Bearer\ta.b.c'], null],
])('bearerToken reads %j as %j', (header, token) => {
  expect(bearerToken(onlyValue(header))).toBe(token);
});
