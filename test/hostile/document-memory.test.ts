import { describe, expect, it } from 'vitest';
import { startMeasuredService } from '../support/child-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertMember } from '../support/fixtures.ts';
import { type Caller, graphql } from '../support/send.ts';
import { signIn } from '../support/server.ts';
import { shared, sharedFolder } from '../support/shared.ts';

const MiB = 1024 * 1024;
const cacheMiB = 4;
const fields = 'id name description status dateStart dateEnd location capacity slug timezone createdAt updatedAt';

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index));

const database = await shared(createTestDatabase());
const dataDir = await sharedFolder();
const service = await shared(
  startMeasuredService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    DOCUMENT_CACHE_MIB: String(cacheMiB),
  }),
);
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
    ['full of texts', 80, (index) => `query Q${index} { nodes(ids: [${`"${'é'.repeat(900)}", `.repeat(40)}]) { id } }`],
  ])('that are %s no more is remembered than the setting says', async (_kind, count, make) => {
    // once to be parsed, then to be compiled, and then to run as compiled
    await sendAll(member, many(count, make), 4);
    const bytes = await remembered();
    expect(bytes).toBeLessThan(cacheMiB * MiB * 1.1);
  });
});
