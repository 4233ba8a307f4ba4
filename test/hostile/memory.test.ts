import { describe, expect, it, onTestFinished } from 'vitest';
import { startChildService, startMeasuredService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertMember } from '../support/fixtures.ts';
import { openRaw, type RawConnection, rawRequest } from '../support/raw.ts';
import { type Caller, graphql } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { inTest, shared } from '../support/shared.ts';

const MiB = 1024 * 1024;
const cacheMiB = 4;
const fields = 'id name description status dateStart dateEnd location capacity slug timezone createdAt updatedAt';

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

/** A document of a few hundred characters that is allowed to ask for thousands of nodes. */
function costlyDocument(index: number): string {
  const aliases = [2, 2, 2, 2, 2, 2, 2, 1];
  const fragments = aliases.map((count, level) => {
    const [type, field] = level % 2 === 0 ? ['Event', 'viewerSubscription'] : ['EventSubscription', 'event'];
    const below = level === aliases.length - 1 ? '__typename' : `...L${level + 1}`;
    const names = many(count, (each) => `a${each}: ${field} { ${below} }`);
    return `fragment L${level} on ${type} { ${field} { ${below} } ${names.join(' ')} }`;
  });
  return `query Q${index} { event(id: "nonsense") { ...L0 } } ${fragments.join('\n')}`;
}

const database = await shared(createTestDatabase());
const env = { DATABASE_URL: database.url, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' };
const service = await shared(startMeasuredService({ ...env, DOCUMENT_CACHE_MIB: String(cacheMiB) }));
const { email, organizationId } = await insertMember(database.orm, { role: 'manager' });
const member = { accessToken: (await signIn(service.url, email)).accessToken, organizationId };
// what is made when it is first needed, and stays
await sendAll(
  member,
  many(30, (index) => `query Q${index} { events(first: 1) { nodes { ${fields} } } }`),
  4,
);
const empty = await service.usedBytes();

/** Sends documents, ten at a time, each so many times one after the other. */
async function sendAll(caller: Caller, documents: string[], times: number): Promise<void> {
  const rest = [...documents];
  const sender = async () => {
    for (let document = rest.pop(); document !== undefined; document = rest.pop()) {
      for (let time = 0; time < times; time += 1) {
        const { text } = await graphql(service, caller, document);
        expect(text).not.toContain('INTERNAL_SERVER_ERROR');
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, sender));
}

/** How much more is in use than before any document was sent. */
async function remembered(): Promise<number> {
  return (await service.usedBytes()) - empty;
}

describe('of documents', { timeout: 60_000 }, () => {
  it('that nobody is signed in for nothing is remembered', async () => {
    // valid, refused for what they name, and refused for their limits
    const documents = [
      ...many(150, (index) => `query Q${index} { ${'... { __typename } '.repeat(190)} }`),
      ...many(50, (index) => `query Q${index} { ${'viewer { name } '.repeat(200)} }`),
      ...many(50, (index) => `query Q${index} { ${Array.from({ length: 400 }, (_, each) => `f${each}`).join(' ')} }`),
    ];
    await sendAll({}, documents, 1);
    expect(await remembered()).toBeLessThan(2 * MiB);
  });

  it('of what is public nothing is remembered either, however often strangers send it', async () => {
    const { organizationId } = member;
    const publicEvents = 'publicEvents(first: 1) { nodes { id name slug } } '.repeat(15);
    const shown = many(60, (index) => `query Q${index} { ${publicEvents} }`);
    // what is made when it is first needed
    await sendAll({ organizationId }, shown.splice(0, 1), 8);
    const before = await service.usedBytes();
    await sendAll({ organizationId }, shown, 4);
    expect((await service.usedBytes()) - before).toBeLessThan(MiB);
  });

  it('that are refused nothing is remembered', async () => {
    const documents = many(100, (index) => `query Q${index} { viewer { ${'nothing '.repeat(900)} } }`);
    await sendAll(member, documents, 2);
    expect(await remembered()).toBeLessThan(2 * MiB);
  });

  it.each<[string, number, (index: number) => string]>([
    ['short', 350, (index) => `query Q${index} { viewer { id name } }`],
    ['long', 80, (index) => `query Q${index} { ${`viewer { ${'id name email '.repeat(20)} } `.repeat(15)} }`],
    [
      'of many fields',
      80,
      (index) =>
        `query Q${index} { ${Array.from({ length: 12 }, (_, each) => `a${each}: events(first: 1) { totalCount nodes { ${fields} } }`).join(' ')} }`,
    ],
    ['costly', 80, costlyDocument],
    ['full of texts', 80, (index) => `query Q${index} { nodes(ids: [${`"${'é'.repeat(900)}", `.repeat(40)}]) { id } }`],
  ])('that are %s no more is remembered than the setting says', async (_kind, count, make) => {
    // once to be parsed, then to be compiled, and then to run as compiled
    await sendAll(member, many(count, make), 4);
    const bytes = await remembered();
    expect(bytes).toBeLessThan(cacheMiB * MiB * 1.1);
  });
});

/** A service that bounds the memory of bodies, neither by the share of a network nor by a time-out. */
async function startHolding() {
  const longest = { HEADERS_TIMEOUT_SECONDS: '600', REQUEST_TIMEOUT_SECONDS: '600' };
  const bounds = { MAX_CONNECTIONS_PER_NETWORK: '4000', CLIENT_BUFFER_MIB: '16' };
  const { url, residentBytes } = await inTest(startChildService({ DATABASE_URL: database.url, ...longest, ...bounds }));
  const held: RawConnection[] = [];
  onTestFinished(() => {
    for (const { socket } of held) socket.destroy();
  });
  /** Waits until the service has got to a request of its own connection: one that was kept may end while it is busy. */
  const taken = () => rawRequest(`${url}/healthz`);
  /** Opens connections that send this much and no more, and waits until the service has taken it. */
  async function hold(count: number, bytes: string): Promise<void> {
    const send = async () => {
      const connection = await openRaw(url);
      held.push(connection);
      const written = new Promise<void>((resolve) => connection.socket.write(bytes, () => resolve()));
      await Promise.race([written, connection.ended]);
    };
    for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
    await taken();
  }
  /** What the service has in memory once it has taken what was sent, and no longer changes. */
  async function settledBytes(): Promise<number> {
    let last = 0;
    for (let now = residentBytes(); Math.abs(now - last) > MiB; now = residentBytes()) {
      last = now;
      await taken();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return last;
  }
  return { url, held, hold, settledBytes };
}

const post = 'POST /auth/login HTTP/1.1\r\nhost: x\r\n';

it('bodies in chunks of a byte take what they are long, not what a byte costs', { timeout: 60_000 }, async () => {
  const { hold, settledBytes } = await startHolding();
  const body = `${post}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}`;
  // V8 keeps a heap as large as the first ones needed
  await hold(50, body);
  const before = await settledBytes();
  await hold(50, body);
  // it was more than 400 for 20 of them
  expect((await settledBytes()) - before).toBeLessThan(150 * MiB);
});

it('a body of the size that is allowed gets through while others fill the memory', { timeout: 60_000 }, async () => {
  const { url, held, hold } = await startHolding();
  await hold(400, `${post}content-length: 102400\r\n\r\n${'x'.repeat(100_000)}`);
  const body = JSON.stringify({ email: 'x'.repeat(100_000), password: 'x' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/auth/login`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('/email')]);
  expect(held[0]?.text()).toMatch(
    /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*Too many request bodies are arriving at once\./is,
  );
  expect([held.at(-1)?.text(), held.at(-1)?.socket.closed]).toEqual(['', false]);
});
