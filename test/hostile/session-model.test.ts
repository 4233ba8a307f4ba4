import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { expectCode, send } from '../support/send.ts';
import {
  isAccepted,
  post,
  readSignIn,
  refreshWith,
  serve,
  signIn,
  startTestServer,
  type TestServer,
} from '../support/server.ts';

/** What reference/sign-in.md says of one session, in a few lines: the oracle of the tests that drive real ones. */
interface ModelSession {
  id: string;
  /** The cookie of each counter that was handed out so far. */
  cookies: string[];
  accessToken: string;
  counter: number;
  ended: boolean;
  /** Seconds of the model's clock. */
  createdAt: number;
  lastUsedAt: number;
  rotatedAt: number | null;
}

const day = 24 * 60 * 60;

const graceSeconds = 60;
const maxDays = 90;

/** Sessions of one user, as reference/sign-in.md has them. */
class SessionModel {
  now = 0;
  readonly sessions: ModelSession[] = [];

  lives(session: ModelSession): boolean {
    const old = this.now - session.createdAt >= maxDays * day;
    return !session.ended && !old && this.now - session.lastUsedAt < 30 * day;
  }

  living(): ModelSession[] {
    return this.sessions.filter((each) => this.lives(each));
  }

  login(id: string, cookie: string, accessToken: string): void {
    const times = { createdAt: this.now, lastUsedAt: this.now, rotatedAt: null };
    this.sessions.push({ id, cookies: [cookie], accessToken, counter: 0, ended: false, ...times });
  }

  /** What a refresh with the cookie of a counter does: the counter whose cookie it answers, or null for a refusal. */
  refresh(session: ModelSession, counter: number): number | null {
    if (!this.lives(session)) return null;
    if (counter === session.counter) {
      session.counter += 1;
      session.lastUsedAt = this.now;
      session.rotatedAt = this.now;
      return session.counter;
    }
    const parent = counter === session.counter - 1 && session.rotatedAt !== null;
    if (parent && this.now - (session.rotatedAt as number) < graceSeconds) return session.counter;
    session.ended = true;
    return null;
  }
}

const env = { REFRESH_GRACE_SECONDS: String(graceSeconds), SESSION_MAX_DAYS: String(maxDays) };

/** Two servers on one database, as two replicas are; either may be stopped and started. */
type Real = { email: string; userId: string };
const servers: TestServer[] = [];

const home = await serve({ env });
const another = () => startTestServer({ env, databaseUrl: home.databaseUrl, secrets: home.secrets });
for (let index = 0; index < 2; index += 1) servers.push(await another());
afterAll(async () => {
  await Promise.all(servers.map((each) => each.close()));
});

const serverAt = (index: number) => servers[index % servers.length] as TestServer;

type Command = fc.AsyncCommand<SessionModel, Real>;

/** A command with its numbers, for the report of a failure. */
const command = (name: string, check: Command['check'], run: Command['run']): Command => {
  return { check, run, toString: () => name };
};

const always = () => true;
const hasRoom = (model: Readonly<SessionModel>) => model.sessions.length < 4;
const hasSessions = (model: Readonly<SessionModel>) => model.sessions.length > 0;
const hasLiving = (model: Readonly<SessionModel>) => model.living().length > 0;
/** A session, chosen among all that there ever were. */
const sessionOf = (model: SessionModel, pick: number) => model.sessions[pick % model.sessions.length] as ModelSession;

const login = (at: number) =>
  command(`login at ${at}`, hasRoom, async (model, { email }) => {
    const { sessionId, cookie, accessToken } = await signIn(serverAt(at).url, email);
    model.login(sessionId, cookie, accessToken);
  });

/** Refreshes with a cookie that is so many older than the newest. */
const refresh = (pick: number, at: number, back: number) =>
  command(`refresh ${pick} at ${at}, ${back} back`, hasSessions, async (model) => {
    const session = sessionOf(model, pick);
    const used = Math.max(0, session.cookies.length - 1 - back);
    const response = await refreshWith(serverAt(at).url, session.cookies[used] as string);
    const answered = model.refresh(session, used);
    if (answered === null) {
      expectCode(response, 401, 'INVALID_TOKEN');
      return;
    }
    const { cookie, accessToken, sessionId } = readSignIn(response);
    expect(sessionId).toBe(session.id);
    // a retry gets the same one, from whichever process
    expect(cookie).toBe(session.cookies[answered] ?? cookie);
    session.cookies[answered] = cookie;
    session.accessToken = accessToken;
  });

const logout = (pick: number, at: number) =>
  command(`logout of ${pick} at ${at}`, hasSessions, async (model) => {
    const session = sessionOf(model, pick);
    const cookie = session.cookies[at % session.cookies.length] as string;
    const response = await post(`${serverAt(at).url}/auth/logout`, undefined, { cookie });
    expect(response.body).toBe(true);
    if (model.lives(session)) session.ended = true;
  });

/** One living session ends another, or what is none any more. */
const endSession = (pick: number, at: number) =>
  command(`end ${pick} at ${at}`, hasLiving, async (model) => {
    const asker = model.living()[0] as ModelSession;
    const target = sessionOf(model, pick);
    const answer = await send(serverAt(at), asker, `DELETE /auth/sessions/${target.id}`);
    expect(answer.status).toBe(model.lives(target) ? 200 : 404);
    if (model.lives(target)) target.ended = true;
  });

const endOthers = (pick: number, at: number) =>
  command(`end others than ${pick} at ${at}`, hasLiving, async (model) => {
    const living = model.living();
    const asker = living[pick % living.length] as ModelSession;
    expect((await send(serverAt(at), asker, 'DELETE /auth/sessions')).text).toBe('true');
    for (const each of living) if (each !== asker) each.ended = true;
  });

/** What every session may do is what the model says, on every server. */
const look = command('look', always, async (model) => {
  const living = model.living().map(({ id }) => id);
  for (const server of servers) {
    for (const session of model.sessions) {
      const expected = model.lives(session);
      // another process hears of an end within five seconds
      const accepted = async () => expect(await isAccepted(server.url, session.accessToken)).toBe(expected);
      await (expected ? accepted() : vi.waitFor(accepted, { timeout: 5_000, interval: 10 }));
      if (!expected) continue;
      const { body } = await send<{ items: { id: string }[] }>(server, session, 'GET /auth/sessions');
      expect(body.items.map(({ id }) => id)).toEqual(living);
    }
  }
});

/** Time passes: every time of the user's sessions moves into the past, and what is remembered of them is too old. */
const wait = (seconds: number) =>
  command(`wait ${seconds}`, always, async (model, { userId }) => {
    model.now += seconds;
    const past = `- make_interval(secs => ${seconds})`;
    await home.execute(
      `update session set created_at = created_at ${past}, last_used_at = last_used_at ${past},
        rotated_at = rotated_at ${past}, expires_at = expires_at ${past} where user_id = ?`,
      [userId],
    );
    for (const { services } of servers) services.access.forgetUser(userId);
  });

/** A server stops and another one takes its place: nothing of a session lives in a process. */
const restart = (at: number) =>
  command(`restart ${at}`, always, async () => {
    const index = at % servers.length;
    await serverAt(index).close();
    servers[index] = await another();
  });

const small = fc.nat(7);
const commands = fc.commands(
  [
    small.map(login),
    ...Array(4).fill(fc.tuple(small, small, fc.constantFrom(0, 0, 0, 1, 1, 2, 3)).map((drawn) => refresh(...drawn))),
    ...[logout, endSession, endOthers].map((each) => fc.tuple(small, small).map((drawn) => each(...drawn))),
    fc.constant(look),
    // far from the borders of a minute, 30 days and 90 days, however they add up: the real clock runs as well
    fc.constantFrom(25, 25, 120, 20 * 86_400, 20 * 86_400, 31 * 86_400).map(wait),
    small.map(restart),
  ] as fc.Arbitrary<Command>[],
  { maxCommands: 40, size: '+1' },
);

describe('sessions', () => {
  it('are what a model of a few lines says, whatever is done to them, on two servers that come and go', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const { id, email } = await insertUser(home.orm);
        const setup = () => ({ model: new SessionModel(), real: { email, userId: id } });
        await fc.asyncModelRun(setup, [login(0), ...steps, look]);
      }),
      { numRuns: 40 },
    );
  }, 180_000);

  it('end after 90 days, however often they are refreshed', async () => {
    const { id, email } = await insertUser(home.orm);
    const month = [wait(20 * 86_400), refresh(0, 0, 0), look];
    const steps = [login(0), ...Array.from({ length: 5 }, () => month).flat()];
    const model = new SessionModel();

    await fc.asyncModelRun(() => ({ model, real: { email, userId: id } }), steps);
    expect(model.living()).toEqual([]);
  });
});
