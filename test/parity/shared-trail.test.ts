import { createHash, randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertMember, insertMembership, insertOrganization, insertUser } from '../support/fixtures.ts';
import { globalId, query, send } from '../support/send.ts';
import { post, serve, signIn } from '../support/server.ts';

const server = await serve();

interface Line {
  id: string;
  action: string;
  subject_id: string;
}

/** An organization and its owner, who reads the trail and is in no other. */
async function createReader() {
  const { organizationId, email } = await insertMember(server.orm, { role: 'owner' });
  return { organizationId, ...(await signIn(server.url, email)) };
}
type Reader = Awaited<ReturnType<typeof createReader>>;

/** What REST lists about others than the owner, page by page. */
async function readByRest(reader: Reader, where: object, sort: 1 | -1 = 1): Promise<Line[]> {
  const lines: Line[] = [];
  let token: string | null = null;
  do {
    const body: Record<string, unknown> = { where, limit: 3, sort, ...(token === null ? {} : { token }) };
    const answer = await send<{ items: Line[]; next: string | null }>(server, reader, 'POST /audit/query', body);
    lines.push(...answer.body.items);
    token = answer.body.next;
  } while (token !== null);
  return lines;
}

async function readByGraphql(reader: Reader, where: object): Promise<string[]> {
  const document = `query ($where: AuditEntryWhere) {
    organization { auditEntries(where: $where, last: 50) { totalCount nodes { id databaseId } } } }`;
  type Entries = { totalCount: number; nodes: { id: string; databaseId: string }[] };
  type Data = { organization: { auditEntries: Entries } };
  const { auditEntries } = (await query<Data>(server, reader, document, { where })).organization;
  expect(auditEntries.totalCount).toBe(auditEntries.nodes.length);
  const ids = auditEntries.nodes.map(({ id }) => id);
  const nodes = ids.map((id) => ({ id }));
  expect(await query(server, reader, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toEqual({ nodes });
  return auditEntries.nodes.map(({ databaseId }) => databaseId);
}

/** What every face tells an owner of a person. */
async function linesOf(reader: Reader, userId: string): Promise<Line[]> {
  const lines = await readByRest(reader, { subject_id: userId });
  const ids = lines.map(({ id }) => id);
  expect((await readByRest(reader, { subject_id: userId }, -1)).map(({ id }) => id)).toEqual([...ids].reverse());
  expect(await readByGraphql(reader, { subjectId: { eq: userId } })).toEqual(ids);
  const where = encodeURIComponent(JSON.stringify({ subject_id: userId }));
  expect((await send(server, reader, `GET /audit/count?where=${where}`)).body).toBe(ids.length);
  expect((await readByRest(reader, {})).filter((each) => each.subject_id === userId)).toEqual(lines);
  return lines;
}

describe('what concerns a person', () => {
  it('in a hundred organizations is one line of a few hundred bytes, which all of their owners read', async () => {
    const readers = [await createReader(), await createReader()];
    const { id: userId, email } = await insertUser(server.orm);
    const places = [...readers.map(({ organizationId }) => organizationId)];
    while (places.length < 100) places.push((await insertOrganization(server.orm)).id);
    for (const organizationId of places) await insertMembership(server.orm, { organizationId, userId });
    // the first line marks the memberships
    await signIn(server.url, email);

    const written = () => server.execute('select from audit_entry where subject_id = ?', [userId]);
    const marks = () => server.execute('select xmin, id from membership where user_id = ? order by id', [userId]);
    const before = await written();
    const marked = await marks();
    const session = await signIn(server.url, email);
    await send(server, session, 'PATCH /auth/me', { name: 'Grace' });
    await post(`${server.url}/auth/login`, { email, password: 'wrong' });
    expect((await written()).length - before.length).toBe(3);
    const large = 'select from audit_entry a where subject_id = ? and pg_column_size(a) >= 500';
    expect(await server.execute(large, [userId])).toEqual([]);
    expect(await marks()).toEqual(marked);

    const actions = ['session.started', 'session.started', 'profile.changed', 'session.refused'];
    for (const reader of readers) {
      expect((await linesOf(reader, userId)).map(({ action }) => action)).toEqual(actions);
    }
  });

  it('is read by the owners of the time: neither of before nor of after, and again after a return', async () => {
    const readers = [await createReader(), await createReader(), await createReader()];
    const people = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { id, email } = await insertUser(server.orm);
        return { id, ...(await signIn(server.url, email)) };
      }),
    );
    const present = new Set<string>();
    const expected = new Map<string, string[]>(
      readers.flatMap((_, place) => people.map((_person, person) => [`${place} ${person}`, []])),
    );
    for (let step = 0; step < 120; step += 1) {
      // the same steps each time
      const [one = 0, two = 0, three = 0] = createHash('sha256').update(`step ${step}`).digest();
      const place = one % readers.length;
      const person = two % people.length;
      const key = `${place} ${person}`;
      const [reader, user] = [readers[place] as Reader, people[person] as (typeof people)[number]];
      if (three % 2 === 0) {
        await send(server, user, 'PATCH /auth/me', { name: `Step ${step}` });
        const [last] = await server.execute<{ id: string }>(
          'select id from audit_entry where subject_id = ? order by created_at desc limit 1',
          [user.id],
        );
        for (const [where, ids] of expected) {
          if (present.has(where) && where.endsWith(` ${person}`)) ids.push(last?.id ?? '');
        }
      } else if (present.has(key)) {
        const gone = 'delete from membership where user_id = ? and organization_id = ?';
        await server.execute(gone, [user.id, reader.organizationId]);
        present.delete(key);
      } else {
        await insertMembership(server.orm, { organizationId: reader.organizationId, userId: user.id });
        present.add(key);
      }
    }
    for (const [key, ids] of expected) {
      const [place = 0, person = 0] = key.split(' ').map(Number);
      const lines = await linesOf(readers[place] as Reader, (people[person] as (typeof people)[number]).id);
      expect([key, lines.map(({ id }) => id)]).toEqual([key, ids]);
      expect(ids.length).toBeGreaterThan(3);
    }
    const [doubled] = await server.execute(
      `select count(*)::int as count from audit_entry where subject_id = any(?) group by request_id having count(*) > 1`,
      [`{${people.map(({ id }) => id).join()}}`],
    );
    expect(doubled).toBeUndefined();
  });

  it('is written by many changes at once, the first that several organizations share', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id: userId, email } = await insertUser(server.orm);
      const session = await signIn(server.url, email);
      const readers = [await createReader(), await createReader()];
      for (const { organizationId } of readers) await insertMembership(server.orm, { organizationId, userId });
      const changes = Array.from({ length: 20 }, (_, index) =>
        send(server, session, 'PATCH /auth/me', { name: `Name ${index}` }),
      );
      expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(new Set([200]));
      for (const reader of readers) expect(await linesOf(reader, userId)).toHaveLength(20);
    }
  });

  it('stays with the organization when the account is gone, and goes with the organization', async () => {
    const [one, two] = [await createReader(), await createReader()];
    const { id: userId, email } = await insertUser(server.orm);
    for (const { organizationId } of [one, two]) await insertMembership(server.orm, { organizationId, userId });
    await signIn(server.url, email);
    await server.execute('delete from "user" where id = ?', [userId]);
    expect(await linesOf(one, userId)).toHaveLength(1);
    await server.execute('delete from organization where id = ?', [two.organizationId]);
    expect(
      await server.execute('select id from former_membership where organization_id = ?', [two.organizationId]),
    ).toEqual([]);
    expect(await linesOf(one, userId)).toHaveLength(1);
  });

  it('is not revealed to strangers by the id of an entry', async () => {
    const [one, two, stranger] = [await createReader(), await createReader(), await createReader()];
    const { id: userId, email } = await insertUser(server.orm);
    for (const { organizationId } of [one, two]) await insertMembership(server.orm, { organizationId, userId });
    await signIn(server.url, email);
    const [line] = await linesOf(one, userId);
    const id = globalId('AuditEntry', line?.id ?? '');
    const ask = (reader: Reader) => query(server, reader, 'query ($id: ID!) { node(id: $id) { id } }', { id });
    expect([await ask(two), await ask(stranger)]).toEqual([{ node: { id } }, { node: null }]);
    expect(await readByRest(stranger, { id: line?.id ?? randomUUIDv7() })).toEqual([]);
  });
});
