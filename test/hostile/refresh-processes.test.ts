import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertUser } from '../support/fixtures.ts';
import { expectCode } from '../support/send.ts';
import { isAccepted, readSignIn, refreshWith, type SignIn, signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';

const running = new Set<ChildService>();

const database = await shared(createTestDatabase());
const dataDir = await sharedFolder();
afterAll(async () => {
  await killAll();
});

/** A replica: the processes share the database and, through the folder, the secrets. */
async function start(): Promise<ChildService> {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, RATE_LIMIT: 'off', REFRESH_GRACE_SECONDS: '60' };
  const child = await startChildService(env);
  running.add(child);
  return child;
}

async function killAll(): Promise<void> {
  await Promise.all([...running].map((each) => each.kill()));
  running.clear();
}

/** Two processes: those that an earlier test left, or new ones. */
async function two(): Promise<[ChildService, ChildService]> {
  // one after the other: the first makes the secrets
  while (running.size < 2) await start();
  return [...running].slice(0, 2) as [ChildService, ChildService];
}

const newSession = async ({ url }: ChildService) => await signIn(url, (await insertUser(database.orm)).email);
const rowOf = ({ sessionId }: SignIn) => database.orm.em.fork().findOneOrFail(Session, sessionId);

/** Refreshes with one cookie so many times at once, by turns at each process; null where the process died on us. */
async function storm(services: ChildService[], cookie: string, count: number): Promise<(SignIn | null)[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const service = services[index % services.length] as ChildService;
      const response = await refreshWith(service.url, cookie).catch(() => null);
      return response && readSignIn(response);
    }),
  );
}

describe('POST /auth/refresh at two processes', { timeout: 60_000 }, () => {
  it('gives 200 at once, with one cookie, one and the same child', async () => {
    const services = await two();
    const session = await newSession(services[0]);
    const answers = await storm(services, session.cookie, 200);
    expect(answers).not.toContain(null);
    expect(new Set(answers.map((each) => each?.cookie)).size).toBe(1);
    expect(await rowOf(session)).toMatchObject({ counter: 1, ended_at: null });
    for (const { url } of services) expect(await isAccepted(url, answers[0]?.accessToken ?? '')).toBe(true);
  });

  it('loses no session if one is killed in the middle', async () => {
    const [first, second] = await two();
    const session = await newSession(first);
    const answering = storm([first, second], session.cookie, 200);
    await sleep(30);
    await first.kill();
    running.delete(first);
    const answers = await answering;
    const whole = answers.filter((each) => each !== null);
    expect(answers.filter((_, index) => index % 2 === 1)).not.toContain(null);
    expect(new Set(whole.map(({ cookie }) => cookie)).size).toBe(1);
    expect(await rowOf(session)).toMatchObject({ counter: 1, ended_at: null });
    // whoever saw no answer asks again, at the process that takes its place
    const third = await start();
    const retried = readSignIn(await refreshWith(third.url, session.cookie));
    expect(retried.cookie).toBe(whole[0]?.cookie);
    readSignIn(await refreshWith(second.url, retried.cookie));
    expect(await rowOf(session)).toMatchObject({ counter: 2, ended_at: null });
  });

  it('knows a replay after everything was restarted, and ends the session once', async () => {
    const [first, second] = await two();
    const session = await newSession(first);
    const child = readSignIn(await refreshWith(first.url, session.cookie));
    const grandchild = readSignIn(await refreshWith(second.url, child.cookie));
    await killAll();
    const services = await two();
    const replays = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refreshWith((services[index % 2] as ChildService).url, session.cookie)),
    );
    for (const replay of replays) {
      // the client may hold a better cookie by now
      expect(replay.headers.getSetCookie()).toEqual([]);
      expectCode(replay, 401, 'INVALID_TOKEN');
    }
    expectCode(await refreshWith(services[1].url, grandchild.cookie), 401, 'INVALID_TOKEN');
    expect(await isAccepted(services[1].url, grandchild.accessToken)).toBe(false);
    const row = await rowOf(session);
    expect(row).toMatchObject({ counter: 2, end_reason: 'refresh_reused' });
    const entries = { subject_id: row.user_id, action: 'session.refresh_reused' };
    expect(await database.orm.em.fork().find(AuditEntry, entries)).toMatchObject([
      { actor_id: null, ip: expect.any(String), detail: { session: session.sessionId } },
    ]);
  });
});
