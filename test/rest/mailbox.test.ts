import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { insertUser } from '../support/fixtures.ts';
import { rawRequest } from '../support/http.ts';
import { mailsTo } from '../support/mail.ts';
import { sendRaw } from '../support/raw.ts';
import { post, serve, serveInTest, type TestServer } from '../support/server.ts';

const server = await serve();
const paths = await pathsOf(server);

/** The mailbox and one of its mails. */
async function pathsOf(running: TestServer): Promise<string[]> {
  const { email } = await insertUser(running.orm);
  await post(`${running.url}/auth/reset-password-request`, { email });
  const [mail] = await mailsTo(running, email);
  return ['/dev/mailbox', `/dev/mailbox/${mail?.name}`, `/dev/mailbox/${mail?.name}/html`];
}

/** Expects that a path answers just as one that was never there, whatever the method. */
async function expectAbsent(url: string, path: string, headers: string[] = []): Promise<void> {
  for (const method of ['GET', 'POST']) {
    const [answer, other] = await Promise.all(
      [path, '/nowhere'].map((each) => rawRequest(`${url}${each}`, { method, headers })),
    );
    const known = ({ text }: { text: string }) => ({ ...JSON.parse(text), request_id: '' });
    expect([method, answer?.status]).toEqual([method, 404]);
    expect(known(answer as { text: string })).toEqual(known(other as { text: string }));
  }
}

describe('/dev/mailbox', () => {
  it.each(['127.0.0.1', '127.0.0.1:3000', 'localhost:3000', 'LocalHost', '[::1]:3000'])(
    'is shown to a request of this machine for %s',
    async (host) => {
      for (const path of paths) {
        const answer = await rawRequest(`${server.url}${path}`, { headers: ['host', host] });
        expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
      }
    },
  );

  it.each([
    'events.test',
    'attacker.example',
    '127.0.0.1.attacker.example:3000',
    'localhost.attacker.example',
    'attacker.localhost',
    '10.0.0.1:3000',
    '0.0.0.0:3000',
    '[::]',
    '127.0.0.1:3000:80',
    '2130706433',
  ])('is not there for the name %s, which a page of another site may have pointed here', async (host) => {
    for (const path of paths) {
      const answer = await rawRequest(`${server.url}${path}`, { headers: ['host', host] });
      expect([path, answer.status]).not.toEqual([path, 200]);
      expect(answer.text).not.toMatch(/token=|mailbox/);
    }
  });

  it('is not there for a request without a name', async () => {
    for (const path of paths)
      expect(await sendRaw(server.url, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['via', '1.1 proxy'],
  ])('is not there for what a proxy passes on with %s: %s', async (name, value) => {
    for (const path of paths) await expectAbsent(server.url, path, [name, value]);
  });

  it('refuses another method to this machine', async () => {
    for (const path of paths) {
      const answer = await rawRequest(`${server.url}${path}`, { method: 'POST' });
      expect([path, answer.status, answer.headers.allow]).toEqual([path, 405, 'GET, HEAD']);
    }
  });
});

it('/dev/mailbox does not exist if other machines can connect', async () => {
  const running = await serveInTest({ env: { HOST: '0.0.0.0' } });
  const { port } = new URL(running.url);
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family }) => family === 'IPv4');
  for (const path of await pathsOf(running)) {
    for (const { address } of own) await expectAbsent(`http://${address}:${port}`, path, ['host', 'localhost']);
  }
});

it('/dev/mailbox does not exist with an https PUBLIC_URL, for any NODE_ENV', async () => {
  const running = await serveInTest({ env: { PUBLIC_URL: 'https://localhost:3000' } });
  for (const path of await pathsOf(running)) await expectAbsent(running.url, path, ['host', 'localhost:3000']);
});
