import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ChildService, startChildService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { openRaw, type RawConnection, rawRequest } from '../support/raw.ts';
import { inTest, shared, sharedFolder } from '../support/shared.ts';

let service: ChildService;
let held: RawConnection[];

const database = await shared(createTestDatabase());
const dataDir = await sharedFolder();
beforeEach(async () => {
  held = [];
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    // neither the share of a network nor a time-out is what bounds the memory here
    MAX_CONNECTIONS_PER_NETWORK: '4000',
    HEADERS_TIMEOUT_SECONDS: '600',
    REQUEST_TIMEOUT_SECONDS: '600',
    CLIENT_BUFFER_MIB: '16',
  };
  service = await inTest(startChildService(env));
});
afterEach(() => {
  for (const { socket } of held) socket.destroy();
});

const mebibyte = 1024 * 1024;

/** Opens connections that send this much and no more, and waits until the service has taken it. */
async function hold(count: number, bytes: string): Promise<void> {
  const send = async () => {
    const connection = await openRaw(service.url);
    held.push(connection);
    const written = new Promise<void>((resolve) => connection.socket.write(bytes, () => resolve()));
    await Promise.race([written, connection.ended]);
  };
  for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
  await taken();
}

/** Waits until the service has got to a request of its own connection: one that was kept may end while it is busy. */
const taken = () => rawRequest(`${service.url}/healthz`);

const post = 'POST /auth/login HTTP/1.1\r\nhost: x\r\n';

/** What the service has in memory once it has taken what was sent, and no longer changes. */
async function settledBytes(): Promise<number> {
  let last = 0;
  for (let now = service.residentBytes(); Math.abs(now - last) > mebibyte; now = service.residentBytes()) {
    last = now;
    await taken();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return last;
}

it('bodies in chunks of a byte take what they are long, not what a byte costs', { timeout: 60_000 }, async () => {
  const body = `${post}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}`;
  // V8 keeps a heap as large as the first ones needed
  await hold(50, body);
  const before = await settledBytes();
  await hold(50, body);
  // it was more than 400 for 20 of them
  expect((await settledBytes()) - before).toBeLessThan(150 * mebibyte);
});

it('a body of the size that is allowed gets through while others fill the memory', { timeout: 60_000 }, async () => {
  await hold(400, `${post}content-length: 102400\r\n\r\n${'x'.repeat(100_000)}`);
  const body = JSON.stringify({ email: 'x'.repeat(100_000), password: 'x' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/auth/login`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('/email')]);
  expect(held[0]?.text()).toMatch(
    /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*Too many request bodies are arriving at once\./is,
  );
  expect([held.at(-1)?.text(), held.at(-1)?.socket.closed]).toEqual(['', false]);
});
