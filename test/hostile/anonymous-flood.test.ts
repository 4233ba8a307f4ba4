import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { insertMember, insertOrganization } from '../support/fixtures.ts';
import { openRaw } from '../support/raw.ts';
import { type Caller, graphql, send } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';

const sockets = 100;
const pipelined = 8;

const server = await serve({ env: { RATE_LIMIT: 'on', DATABASE_POOL_SIZE: '3' } });

function loginBytes(): string {
  const body = JSON.stringify({ email: `nobody-${randomUUIDv7()}@example.org`, password: 'not the password' });
  const head = ['POST /auth/login HTTP/1.1', 'host: localhost', 'content-type: application/json'];
  return [...head, `content-length: ${body.length}`, '', body].join('\r\n');
}

/** Signs in to unknown addresses, several messages at once on each of many connections, over and over. */
async function flood() {
  const connections = await Promise.all(Array.from({ length: sockets }, () => openRaw(server.url)));
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  for (const { socket, text } of connections) {
    let sent = 0;
    const send = () => {
      sent += pipelined;
      socket.write(Array.from({ length: pipelined }, loginBytes).join(''));
    };
    socket.on('data', () => {
      if (count(text(), /^HTTP\/1\.1 /gm) >= sent) send();
    });
    send();
  }
  return {
    answers: (pattern: RegExp) => connections.reduce((sum, { text }) => sum + count(text(), pattern), 0),
    async end(): Promise<void> {
      for (const { socket } of connections) socket.destroy();
      await Promise.all(connections.map(({ ended }) => ended));
    },
  };
}

it('800 sign-ins at once of nobody refuse no request of those who are signed in, even from the same network', async () => {
  const { id: organizationId } = await insertOrganization(server.orm);
  const callers: Caller[] = [];
  for (let index = 0; index < 16; index += 1) {
    const { email } = await insertMember(server.orm, { organizationId, role: 'owner' });
    callers.push({ accessToken: (await signIn(server.url, email)).accessToken, organizationId });
  }
  const running = await flood();
  try {
    // the limit of sign-ins asks for minutes: one second is what those are asked for who are too many to wait for a connection
    const refused = () => running.answers(/^retry-after: 1\r$/gim);
    await expect.poll(refused, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    const before = refused();
    // nothing is known yet of these sessions, so that each costs a statement before the list does
    const answers = await Promise.all(
      callers.map(async (caller, index) => {
        if (index % 2 === 0) return (await send(server, caller, 'GET /events')).status;
        const answer = await graphql(server, caller, '{ events(first: 1) { nodes { name } } }');
        return answer.errors ?? answer.status;
      }),
    );
    expect(answers).toEqual(callers.map(() => 200));
    expect(refused()).toBeGreaterThan(before);
  } finally {
    await running.end();
  }
}, 120_000);
