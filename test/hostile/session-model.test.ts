import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { send } from '../support/send.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type ModelSession, SessionModel } from '../support/session-model.ts';
import { shared } from '../support/shared.ts';
import { isAccepted, post, readSignIn, refreshWith, signIn } from '../support/sign-in.ts';

const graceSeconds = 60;
const maxDays = 90;
const env = { REFRESH_GRACE_SECONDS: String(graceSeconds), SESSION_MAX_DAYS: String(maxDays) };

/** Two servers on one database, as two replicas are; either may be stopped and started. */
interface Real {
  email: string;
  userId: string;
}
const servers: TestServer[] = [];

const home = await shared(startTestServer({ env }));
const another = () => startTestServer({ env, databaseUrl: home.databaseUrl, secrets: home.secrets });
for (let index = 0; index < 2; index += 1) servers.push(await another());
afterAll(async () => {
  await Promise.all(servers.map((each) => each.close()));
});

const serverAt = (index: number) => servers[index % servers.length] as TestServer;

type Command = fc.AsyncCommand<SessionModel, Real>;

/** A command on one session, chosen among all that there ever were, by one server. */
abstract class OnSession {
  readonly pick: number;
  readonly at: number;
  constructor(pick: number, at: number) {
    this.pick = pick;
    this.at = at;
  }
  check = (model: Readonly<SessionModel>) => model.sessions.length > 0;
  session = (model: SessionModel) => model.sessions[this.pick % model.sessions.length] as ModelSession;
  toString = () => `${this.constructor.name}(${this.pick}, ${this.at})`;
}

class Login implements Command {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
  check = (model: Readonly<SessionModel>) => model.sessions.length < 4;
  async run(model: SessionModel, { email }: Real) {
    const { sessionId, cookie, accessToken } = await signIn(serverAt(this.at).url, email);
    model.login(sessionId, cookie, accessToken);
  }
  toString = () => `Login(${this.at})`;
}

class Refresh extends OnSession implements Command {
  readonly back: number;
  constructor(pick: number, at: number, back: number) {
    super(pick, at);
    this.back = back;
  }
  async run(model: SessionModel) {
    const session = this.session(model);
    const used = Math.max(0, session.cookies.length - 1 - this.back);
    const response = await refreshWith(serverAt(this.at).url, session.cookies[used] as string);
    const answered = model.refresh(session, used);
    if (answered === null) {
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 401,
        body: { code: 'INVALID_TOKEN' },
      });
      return;
    }
    const { cookie, accessToken, sessionId } = await readSignIn(response);
    expect(sessionId).toBe(session.id);
    // a retry gets the same one, from whichever process
    expect(cookie).toBe(session.cookies[answered] ?? cookie);
    session.cookies[answered] = cookie;
    session.accessToken = accessToken;
  }
  override toString = () => `Refresh(${this.pick}, ${this.at}, ${this.back})`;
}

class Logout extends OnSession implements Command {
  async run(model: SessionModel) {
    const session = this.session(model);
    const cookie = session.cookies[this.at % session.cookies.length] as string;
    const response = await post(`${serverAt(this.at).url}/auth/logout`, undefined, { cookie });
    expect(await response.json()).toBe(true);
    if (model.lives(session)) session.ended = true;
  }
}

/** One living session ends another, or what is none any more. */
class EndSession extends OnSession implements Command {
  override check = (model: Readonly<SessionModel>) => model.living().length > 0;
  async run(model: SessionModel) {
    const asker = model.living()[0] as ModelSession;
    const target = this.session(model);
    const answer = await send(serverAt(this.at), asker, `DELETE /auth/sessions/${target.id}`);
    expect(answer.status).toBe(model.lives(target) ? 200 : 404);
    if (model.lives(target)) target.ended = true;
  }
}

class EndOthers extends OnSession implements Command {
  override check = (model: Readonly<SessionModel>) => model.living().length > 0;
  async run(model: SessionModel) {
    const living = model.living();
    const asker = living[this.pick % living.length] as ModelSession;
    expect((await send(serverAt(this.at), asker, 'DELETE /auth/sessions')).text).toBe('true');
    for (const each of living) if (each !== asker) each.ended = true;
  }
}

/** What every session may do is what the model says, on every server. */
class Look implements Command {
  check = () => true;
  async run(model: SessionModel) {
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
  }
  toString = () => 'Look()';
}

/** Time passes: every time of the user's sessions moves into the past, and what is remembered of them is too old. */
class Wait implements Command {
  readonly seconds: number;
  constructor(seconds: number) {
    this.seconds = seconds;
  }
  check = () => true;
  async run(model: SessionModel, { userId }: Real) {
    model.now += this.seconds;
    const past = `- make_interval(secs => ${this.seconds})`;
    await home.execute(
      `update session set created_at = created_at ${past}, last_used_at = last_used_at ${past},
        rotated_at = rotated_at ${past}, expires_at = expires_at ${past} where user_id = ?`,
      [userId],
    );
    for (const { services } of servers) services.access.forgetUser(userId);
  }
  toString = () => `Wait(${this.seconds})`;
}

/** A server stops and another one takes its place: nothing of a session lives in a process. */
class Restart implements Command {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
  check = () => true;
  async run() {
    const index = this.at % servers.length;
    await serverAt(index).close();
    servers[index] = await another();
  }
  toString = () => `Restart(${this.at})`;
}

const small = fc.nat(7);
const commands = fc.commands(
  [
    small.map((at) => new Login(at)),
    ...Array(4).fill(
      fc.tuple(small, small, fc.constantFrom(0, 0, 0, 1, 1, 2, 3)).map(([a, b, c]) => new Refresh(a, b, c)),
    ),
    fc.tuple(small, small).map(([a, b]) => new Logout(a, b)),
    fc.tuple(small, small).map(([a, b]) => new EndSession(a, b)),
    fc.tuple(small, small).map(([a, b]) => new EndOthers(a, b)),
    fc.constant(new Look()),
    // far from the borders of a minute, 30 days and 90 days, however they add up: the real clock runs as well
    fc.constantFrom(25, 25, 120, 20 * 86_400, 20 * 86_400, 31 * 86_400).map((seconds) => new Wait(seconds)),
    small.map((at) => new Restart(at)),
  ] as fc.Arbitrary<Command>[],
  { maxCommands: 40, size: '+1' },
);

describe('sessions', () => {
  it('are what a model of a few lines says, whatever is done to them, on two servers that come and go', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const { id, email } = await insertUser(home.orm);
        const setup = () => ({ model: new SessionModel(graceSeconds, maxDays), real: { email, userId: id } });
        await fc.asyncModelRun(setup, [new Login(0), ...steps, new Look()]);
      }),
      { numRuns: 40 },
    );
  }, 180_000);

  it('end after 90 days, however often they are refreshed', async () => {
    const { id, email } = await insertUser(home.orm);
    const month = [new Wait(20 * 86_400), new Refresh(0, 0, 0), new Look()];
    const steps = [new Login(0), ...Array.from({ length: 5 }, () => month).flat()];
    const model = new SessionModel(graceSeconds, maxDays);
    await fc.asyncModelRun(() => ({ model, real: { email, userId: id } }), steps);
    expect(model.living()).toEqual([]);
  });
});
