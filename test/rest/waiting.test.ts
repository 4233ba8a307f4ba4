import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { countMails, guestAddress, guestOf, mailsTo, tokenOf } from '../support/guests.ts';
import { callerHeaders, expectCode, graphql, send } from '../support/send.ts';
import { createTeam, type Person, serve, serveInTest, type Team } from '../support/server.ts';
import { countStatements } from '../support/statements.ts';
import { insertSubscribers, subscribing } from '../support/subscribing.ts';

const env = { RATE_LIMIT: 'on', GUEST_MAILS_PER_HOUR: '3', MAILS_PER_HOUR: '2' };
const server = await serve({ env });
const team = await createTeam(server);

const newEvent = (of: Team) => subscribing(server, of).event({ visibility: 'public' });
const waiting = async (person: Person) => {
  const request = `GET /organizations/${person.organizationId}/mails`;
  return (await send<{ waiting: number; next_at: string | null }>(server, person, request)).body;
};
const askGraphql = async (person: Person) =>
  (await graphql(server, person, '{ organization { mails { waiting nextAt } } }')).data?.organization;

it('mails to strangers beyond the budget of an organization wait, its managers see them, and confirmed guests raise it', async () => {
  const event = await newEvent(team);
  expect(await waiting(team.manager)).toEqual({ waiting: 0, next_at: null });
  const guest = guestOf(server, team.organizationId);
  const addresses = Array.from({ length: 20 }, guestAddress);
  for (const email of addresses) expect((await guest.request(event.id, { email })).text).toBe('true');
  await expect.poll(async () => (await waiting(team.owner)).waiting).toBe(17);
  const { next_at: nextAt } = await waiting(team.manager);
  const minutes = (Date.parse(String(nextAt)) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(50);
  expect(minutes).toBeLessThan(61);
  expect(await askGraphql(team.manager)).toMatchObject({ mails: { waiting: 17 } });
  // somebody else's are not kept from leaving
  const others = await createTeam(server);
  const otherEvent = await newEvent(others);
  const stranger = guestAddress();
  await guestOf(server, others.organizationId).request(otherEvent.id, { email: stranger });
  await mailsTo(server, stranger);
  expect(await waiting(others.manager)).toEqual({ waiting: 0, next_at: null });

  const sent: string[] = [];
  for (const email of addresses) if ((await countMails(server, email)) > 0) sent.push(email);
  expect(sent).toHaveLength(3);
  const [mail] = await mailsTo(server, sent[0] as string);
  expect((await guest.confirm(tokenOf(mail as { text: string }))).status).toBe(200);
  // and a day goes by: addresses of one's own must not raise it at once
  await server.execute(`update subscription set created_at = created_at - interval '25 hours' where event_id = ?`, [
    event.id,
  ]);
  await serveInTest({ env, databaseUrl: server.databaseUrl });
  // a process that has not asked before finds that the budget is ten larger
  await expect.poll(async () => (await waiting(team.owner)).waiting).toBe(7);
});

it('mails to subscribers beyond the budget count, too', async () => {
  const of = await createTeam(server);
  const { owner } = of;
  const event = await newEvent(of);
  await insertSubscribers(server.orm, event.id, 9, 'pending');
  expect((await send(server, owner, `PATCH /events/${event.id}`, { status: 2 })).status).toBe(200);
  await expect.poll(async () => (await waiting(owner)).waiting).toBe(7);
});

it('members and others do not see how many mails wait', async () => {
  const path = `GET /organizations/${team.organizationId}/mails`;
  expectCode(await send(server, team.member, path), 403, 'FORBIDDEN');
  expect(await askGraphql(team.member)).toEqual({ mails: null });
  const stranger = await createTeam(server);
  expectCode(await send(server, stranger.owner, path), 404, 'NOT_FOUND');
  expectCode(await send(server, stranger.owner, 'GET /organizations/no-id/mails'), 404, 'NOT_FOUND');
});

it('cancelling an event with 20,000 subscribers queues no mail in its transaction, and a piece in each of others', async () => {
  const of = await createTeam(server);
  const event = await newEvent(of);
  await insertSubscribers(server.orm, event.id, 20_000);
  const execute = (statement: string) => server.execute<{ n: number }>(statement);
  await execute('create table queued (n int)');
  await execute(`create function note_queued() returns trigger language plpgsql as $$
    begin insert into queued select count(*) from fresh where lane = 'event_mails'; return null; end $$`);
  await execute(`create trigger note_queued after insert on job referencing new table as fresh
    for each statement execute function note_queued()`);
  const { result, statements } = await countStatements(server.orm, () =>
    send(server, of.owner, `PATCH /events/${event.id}`, { status: 2 }),
  );
  expect(result.status).toBe(200);
  expect(statements.filter((text) => text.includes('insert into job') && text.includes("'notices'"))).toHaveLength(1);
  await vi.waitFor(
    async () => expect((await execute('select coalesce(sum(n), 0)::int as n from queued'))[0]?.n).toBe(20_000),
    { timeout: 60_000, interval: 100 },
  );
  expect((await execute('select max(n) as n from queued'))[0]?.n).toBeLessThanOrEqual(500);
});

/** A team with a list of 40 MB, more than sockets buffer. */
async function largeTeam() {
  const team = await createTeam(server);
  await server.execute(`insert into event (id, organization_id, name, slug, status, date_start, date_end, visibility, registration, description)
      select gen_random_uuid(), '${team.organizationId}', 'Event ' || i, 'event-' || i, 1, now(), now(), 'organization', 'open',
        repeat('x', 20000) from generate_series(1, 2000) i`);
  return team;
}

/** An export whose client reads 20 KB a second, and how much it got before it was cut off. */
async function slowly(person: Person): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  const headers = Object.entries(callerHeaders(person)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /events/export?format=ndjson HTTP/1.1\r\nhost: events.test\r\n${headers.join('')}\r\n`);
  await once(socket, 'readable');
  const reading = setInterval(() => socket.read(2_000), 100);
  socket.once('close', () => clearInterval(reading));
  return { socket, ended };
}

it('clients that read slowly are ended if others are waiting', async () => {
  const [one, other, third] = [await largeTeam(), await largeTeam(), await createTeam(server)];
  const slow: Awaited<ReturnType<typeof slowly>>[] = [];
  for (const { manager } of [one, one, other, other]) slow.push(await slowly(manager));
  await sleep(6_000);
  const answer = await fetch(`${server.url}/events/export?format=csv`, { headers: callerHeaders(third.manager) });
  expect(answer.status, await answer.text()).toBe(200);
  expect(server.logLines.filter((line) => line.includes('an export was ended'))).toHaveLength(1);
  for (const { socket, ended } of slow) {
    socket.destroy();
    await ended;
  }
});
