import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callerHeaders } from '../support/send.ts';
import { createTeam, type Person, serve } from '../support/server.ts';

const server = await serve({ env: { RATE_LIMIT: 'on' } });

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
