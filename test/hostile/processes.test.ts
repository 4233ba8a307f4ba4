import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { withClient } from '../../src/db/client.ts';
import { AuditEntry } from '../../src/domain/audit/audit-entry.table.ts';
import { queueGatheredChanges } from '../../src/domain/event/event-mails.ts';
import { queueDueReminders } from '../../src/domain/event/reminder.ts';
import { Session } from '../../src/domain/session/session.table.ts';
import { insertUser } from '../support/fixtures.ts';
import { importInto } from '../support/import.ts';
import { silentLog } from '../support/log.ts';
import { type Signed, startPair } from '../support/pair.ts';
import { expectCode, graphql, send } from '../support/send.ts';
import { isAccepted, readSignIn, refreshWith, type SignIn, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtp } from '../support/smtp.ts';
import { isoInDays } from '../support/subscribing.ts';

/** Milliseconds between two looks of a process. */
const polling = 500;

const smtp = await shared(startSmtp());
const pair = await startPair({ SMTP_URL: smtp.url, REFRESH_GRACE_SECONDS: '60' }, [String(polling)]);
const managers = await pair.people(4, 'owner');
const { face } = pair;

const dates = { date_start: isoInDays(10), date_end: isoInDays(11) };
const manager = (index: number) => managers[index % managers.length] as Signed;
const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item;

async function eventOf(people: Signed[]): Promise<string> {
  const { id } = (await face(0).createEvent(manager(0), { name: 'Open Day', status: 1, ...dates })).value;
  for (const { userId } of people) await face(0).subscribe(manager(0), id, { user_id: userId, notify: false });
  return id;
}

/** How many mails each address got, and with which subjects. */
function tally(): { counts: Set<number>; subjects: Set<string | undefined>; addresses: number } {
  const byAddress = Map.groupBy(smtp.received, ({ to }) => String(to));
  return {
    counts: new Set([...byAddress.values()].map((mails) => mails.length)),
    subjects: new Set(smtp.received.map(({ mail }) => mail.subject)),
    addresses: byAddress.size,
  };
}

describe('mails that are due later', { timeout: 120_000 }, () => {
  it('are sent once by two processes that look for them by themselves', async () => {
    const [reminded, told] = [await pair.people(20), await pair.people(20)];
    const [near, moved] = [await eventOf(reminded), await eventOf(told)];
    await face(0).updateEvent(manager(0), moved, { location: 'Elsewhere' });
    // due when everybody is there, however long that took
    await pair.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [near]);
    await pair.execute("update event_change_notice set due_at = date_trunc('milliseconds', now())");
    await expect.poll(() => smtp.received.length, { timeout: 60_000, interval: 100 }).toBe(40);
    const { counts, subjects, addresses } = tally();
    expect({ counts, addresses }).toEqual({ counts: new Set([1]), addresses: 40 });
    expect([...subjects].map((subject) => subject?.split(':')[0]).sort()).toEqual(['New time or place', 'Starts soon']);
  });

  it('are queued once by many who look at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      smtp.received.length = 0;
      const event = await eventOf(await pair.people(10));
      await face(0).updateEvent(manager(0), event, { location: 'Elsewhere' });
      await pair.execute(`update event set date_start = now() + interval '23 hours' where id = ?`, [event]);
      await pair.execute("update event_change_notice set due_at = date_trunc('milliseconds', now())");
      const scope = { db: new PostgresDatabase(pair.orm), bounded: true, log: silentLog };
      const looks = [queueDueReminders, queueGatheredChanges].flatMap((look) => [look, look, look]);
      await Promise.all(looks.map((look) => look(scope)));
      const queued = `select id from job where lane in ('event_mails', 'notices')`;
      await expect.poll(() => pair.execute(queued), { interval: 100 }).toEqual([]);
      expect(tally()).toMatchObject({ counts: new Set([2]), addresses: 10 });
    }
  });
});

// The order of locks (note 0035): PostgreSQL counts the deadlocks that it had to resolve.

/** A connection may keep what it counted to itself for ten seconds, unless it ends. */
async function deadlocks(): Promise<number> {
  return await withClient(pair.databaseUrl, async (client) => {
    const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    await expect.poll(async () => (await client.query(`select pg_terminate_backend(pid) ${others}`)).rowCount).toBe(0);
    // a write on a connection whose end a process has not noticed yet would be refused
    for (const index of [0, 1, 0, 1]) await fetch(`${pair.url(index)}/healthz`);
    const { rows } = await client.query<{ count: number }>(
      'select deadlocks::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0]?.count ?? -1;
  });
}

async function createEvents(count: number): Promise<string[]> {
  const made = Array.from({ length: count }, (_, index) =>
    face(index).createEvent(manager(index), { name: `Event ${index}`, status: 1, capacity: 3, ...dates }),
  );
  return (await Promise.all(made)).map(({ value }) => value.id);
}

describe('writes at once', { timeout: 120_000 }, () => {
  it('never deadlock, whatever they are, beside imports and members who leave', async () => {
    const events = await createEvents(4);
    const people = await pair.people(16);
    const subscriptions: [string, string][] = [];
    for (const [index, person] of people.entries()) {
      for (const event of [events[index % 4], events[(index + 1) % 4]] as [string, string]) {
        subscriptions.push([event, (await face(index).subscribe(person, event)).value.id]);
      }
    }
    const rounds = (count: number, work: (round: number) => Promise<unknown>) => async () => {
      for (let round = 0; round < count; round += 1) await work(round);
    };
    const across = () => subscriptions.map(([, id]) => id).sort(() => Math.random() - 0.5);
    const slug = () => `slug-${Math.floor(Math.random() * 6)}`;
    const { organizationId: organization_id } = pair;
    const work = [
      rounds(15, (round) => face(round).updateEvent(manager(0), any(events), { slug: slug() })),
      rounds(15, (round) => face(round).duplicateEvent(manager(1), any(events), { name: 'Copy' })),
      rounds(15, (round) => face(round).createEvent(manager(2), { name: 'New', slug: slug(), ...dates })),
      rounds(15, (round) => face(round).updateEvent(manager(3), any(events), { capacity: 1 + (round % 30) })),
      ...[0, 1].map((at) =>
        rounds(12, () =>
          // GraphQL moves subscriptions of several events in one transaction
          face(1 + 2 * at).transition(manager(at), '', across(), any(['accepted', 'waitlisted', 'pending'])),
        ),
      ),
      rounds(20, (round) => {
        const [event, id] = any(subscriptions);
        return face(round).move(manager(round), event, id, { status: any(['accepted', 'declined', 'pending']) });
      }),
      rounds(8, async (round) => {
        const person = people[round] as Signed;
        const { body } = await send<{ items: { id: string }[] }>({ url: pair.url(round) }, person, 'GET /members');
        const answer = await send({ url: pair.url(round) }, person, `DELETE /members/${body.items[0]?.id}`);
        expect([200, 429, 503]).toContain(answer.status);
      }),
      rounds(6, async (round) => {
        const organization = { id: organization_id, name: `Name ${round}`, slug: `organization-${round}` };
        const users = await pair.people(2);
        await importInto(pair.databaseUrl, {
          organizations: [organization],
          memberships: users.map(({ userId: user_id }) => ({ organization_id, user_id, role: 'manager' })),
          events: [...events].reverse().map((id, index) => {
            return { id, organization_id, name: 'Imported', slug: `imported-${round}-${index}`, ...dates };
          }),
          subscriptions: subscriptions.slice(2 * round, 2 * round + 10).map(([event_id, id], index) => {
            return { id, event_id, user_id: people[round + Math.floor(index / 2)]?.userId, status: 'waitlisted' };
          }),
        });
      }),
    ];
    const before = await deadlocks();
    await Promise.all(work.map((each) => each()));
    expect(await deadlocks()).toBe(before);
  });

  it('of one key take their locks in the client’s order, and run again if that deadlocks', async () => {
    const [first, second] = (await createEvents(2)) as [string, string];
    const before = await deadlocks();
    let rounds = 0;
    // it is for chance to say which round deadlocks
    for (; rounds < 6 || (await deadlocks()) === before; rounds += 1) {
      const answers = await Promise.all(
        [0, 1].map(async (index) => {
          const [one, two] = index === 0 ? [first, second] : [second, first];
          const document = `mutation {
            one: updateEvent(input: {id: "${one}", location: "${rounds} ${index}"}) { event { version } }
            two: updateEvent(input: {id: "${two}", location: "${rounds} ${index}"}) { event { version } }
          }`;
          const key = { 'idempotency-key': `order-${rounds}-${index}` };
          return await graphql({ url: pair.url(index) }, manager(index), document, undefined, key);
        }),
      );
      for (const { errors, text } of answers) expect(errors, text).toBeUndefined();
    }
    const version = 1 + 2 * rounds;
    const versions = await pair.execute('select version from event where id in (?, ?)', [first, second]);
    expect(versions).toEqual([{ version }, { version }]);
  });
});

const newSession = async () => await signIn(pair.url(0), (await insertUser(pair.orm)).email);
const rowOf = ({ sessionId }: SignIn) => pair.orm.em.fork().findOneOrFail(Session, sessionId);

/** Refreshes with one cookie 200 times at once, by turns at each process; null where the process died on us. */
const storm = (cookie: string): Promise<(SignIn | null)[]> =>
  Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const response = await refreshWith(pair.url(index), cookie).catch(() => null);
      return response && readSignIn(response);
    }),
  );

describe('POST /auth/refresh at two processes', { timeout: 60_000 }, () => {
  it('gives 200 at once, with one cookie, one and the same child', async () => {
    const session = await newSession();
    const answers = await storm(session.cookie);
    expect(answers).not.toContain(null);
    expect(new Set(answers.map((each) => each?.cookie)).size).toBe(1);
    expect(await rowOf(session)).toMatchObject({ counter: 1, ended_at: null });
    for (const index of [0, 1]) expect(await isAccepted(pair.url(index), answers[0]?.accessToken ?? '')).toBe(true);
  });

  it('loses no session if one is killed in the middle', async () => {
    const session = await newSession();
    const answering = storm(session.cookie);
    await sleep(30);
    await pair.kill(0);
    const answers = await answering;
    const whole = answers.filter((each) => each !== null);
    expect(answers.filter((_, index) => index % 2 === 1)).not.toContain(null);
    expect(new Set(whole.map(({ cookie }) => cookie)).size).toBe(1);
    expect(await rowOf(session)).toMatchObject({ counter: 1, ended_at: null });
    // whoever saw no answer asks again, at the process that takes its place
    await pair.restart(0);
    const retried = readSignIn(await refreshWith(pair.url(0), session.cookie));
    expect(retried.cookie).toBe(whole[0]?.cookie);
    readSignIn(await refreshWith(pair.url(1), retried.cookie));
    expect(await rowOf(session)).toMatchObject({ counter: 2, ended_at: null });
  });

  it('ends a session once, however many replay its cookie at once', async () => {
    const session = await newSession();
    const child = readSignIn(await refreshWith(pair.url(0), session.cookie));
    await refreshWith(pair.url(1), child.cookie);
    for (const replay of await Promise.all(
      Array.from({ length: 20 }, (_, index) => refreshWith(pair.url(index), session.cookie)),
    )) {
      // the client may hold a better cookie by now
      expect(replay.headers.getSetCookie()).toEqual([]);
      expectCode(replay, 401, 'INVALID_TOKEN');
    }
    const { user_id, ...row } = await rowOf(session);
    expect(row).toMatchObject({ counter: 2, end_reason: 'refresh_reused' });
    const entries = { subject_id: user_id, action: 'session.refresh_reused' };
    expect(await pair.orm.em.fork().find(AuditEntry, entries)).toMatchObject([
      { actor_id: null, ip: expect.any(String), detail: { session: session.sessionId } },
    ]);
  });
});
