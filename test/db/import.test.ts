import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../src/db/client.ts';
import { ImportFaults, type ImportSummary, importDocument } from '../../src/db/import/import.ts';
import { verifyPassword } from '../../src/domain/session/password.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const silent = { begin: () => undefined, advance: () => undefined, end: () => undefined };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => select('truncate organization, "user" cascade'));
afterAll(() => database.drop());

function importText(text: string | Uint8Array): Promise<ImportSummary> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return withClient(database.url, (client) => importDocument(client, bytes, silent));
}

function importRows(document: object): Promise<ImportSummary> {
  return importText(JSON.stringify(document));
}

async function faultsOf(document: object | string): Promise<string[]> {
  const outcome = importText(typeof document === 'string' ? document : JSON.stringify(document));
  const error = await outcome.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof ImportFaults)) throw new Error(`The import was not refused but: ${error}`);
  return error.faults;
}

function select<Row>(statement: string): Promise<Row[]> {
  return database.orm.em.getConnection().execute(statement) as Promise<Row[]>;
}

const organization = { id: '0192aaaa-0000-7000-8000-000000000001', name: 'Harbour Arts' };
const user = { id: '0192aaaa-0000-7000-8000-0000000000a1', email: 'Ada@Example.org', name: 'Ada' };
const event = {
  id: '0192aaaa-0000-7000-8000-0000000000e1',
  organization_id: organization.id,
  name: 'Spring Fête',
  date_start: '2026-05-01T18:00:00+02:00',
  date_end: '2026-05-01T20:00:00Z',
};
const subscription = { id: '0192aaaa-0000-7000-8000-0000000000f1', event_id: event.id, user_id: user.id };
const membership = { organization_id: organization.id, user_id: user.id, role: 'owner' };
const all = {
  organizations: [organization],
  users: [user],
  memberships: [membership],
  events: [event],
  subscriptions: [subscription],
};

describe('import', () => {
  test('writes rows of every section, with the defaults of what is left out', async () => {
    const before = new Date();
    expect(await importRows(all)).toEqual({ organizations: 1, users: 1, memberships: 1, events: 1, subscriptions: 1 });
    expect(await select('select slug, signup from organization')).toEqual([{ slug: 'harbour-arts', signup: 'open' }]);
    expect(await select('select email, avatar_url, password_hash, verified_at from "user"')).toEqual([
      { email: 'Ada@Example.org', avatar_url: null, password_hash: null, verified_at: null },
    ]);
    const [row] = await select<Record<string, unknown>>('select * from event');
    expect(row).toMatchObject({
      ...{ slug: 'spring-fete', description: null, status: 0, timezone: 'UTC', location: null, capacity: null },
      ...{ visibility: 'organization', registration: 'open', accepted_count: 0 },
      ...{ date_start: '2026-05-01 16:00:00+00', date_end: '2026-05-01 20:00:00+00' },
    });
    expect(new Date(String(row?.created_at)).getTime()).toBeGreaterThanOrEqual(before.getTime() - 5);
    expect(await select('select status, answers, checked_in_at from subscription')).toEqual([
      { status: 'pending', answers: null, checked_in_at: null },
    ]);
    expect(await select('select role from membership')).toEqual([{ role: 'owner' }]);
  });

  test('writes every value as it is given, and counts what is accepted', async () => {
    const at = '2020-02-03T04:05:06.789Z';
    const full = {
      description: 'D\n"\\%',
      status: 3,
      timezone: 'Europe/Berlin',
      location: 'Hall',
      capacity: 0,
      visibility: 'public',
    };
    await importRows({
      organizations: [{ ...organization, slug: 'own', signup: 'invite', created_at: at }],
      users: [{ ...user, avatar_url: 'https://images.example/a.png', verified: true, created_at: at }],
      events: [{ ...event, ...full, registration: 'approval', slug: 'fete_2', created_at: at, updated_at: at }],
      subscriptions: [
        {
          ...subscription,
          status: 'accepted',
          answers: { a: [1, null, 'ü'] },
          checked_in_at: at,
          created_at: at,
          updated_at: at,
        },
      ],
    });
    const stored = '2020-02-03 04:05:06.789+00';
    expect(await select('select slug, signup, created_at from organization')).toEqual([
      { slug: 'own', signup: 'invite', created_at: stored },
    ]);
    expect(await select('select avatar_url, verified_at is not null as verified, created_at from "user"')).toEqual([
      { avatar_url: 'https://images.example/a.png', verified: true, created_at: stored },
    ]);
    expect(await select('select * from event')).toMatchObject([
      { ...full, registration: 'approval', slug: 'fete_2', accepted_count: 1, created_at: stored, updated_at: stored },
    ]);
    expect(await select('select * from subscription')).toMatchObject([
      {
        status: 'accepted',
        answers: { a: [1, null, 'ü'] },
        checked_in_at: stored,
        created_at: stored,
        updated_at: stored,
      },
    ]);
  });

  test('hashes passwords on the way in', async () => {
    const other = { id: randomUUID(), email: 'b@example.org', name: 'B' };
    await importRows({ users: [{ ...user, password: 'pássword in clear' }, other] });
    const [row, none] = await select<{ password_hash: string | null }>(
      'select password_hash from "user" order by email',
    );
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(row?.password_hash ?? null, 'pássword in clear')).toBe(true);
    expect(none?.password_hash).toBeNull();
  });

  test('lowers the case of ids, and takes references in any case', async () => {
    await importRows({ users: [{ ...user, id: user.id.toUpperCase() }], organizations: [organization] });
    await importRows({ memberships: [{ ...membership, user_id: user.id.toUpperCase() }] });
    expect(await select('select user_id from membership')).toEqual([{ user_id: user.id }]);
  });

  test('keeps the values of existing rows where a key is left out, and takes null for a value', async () => {
    const given = {
      description: 'D',
      status: 1,
      timezone: 'Asia/Tokyo',
      location: 'L',
      capacity: 9,
      visibility: 'public',
      registration: 'closed',
    };
    const at = '2020-01-01T00:00:00Z';
    await importRows({
      ...all,
      organizations: [{ ...organization, slug: 'own', signup: 'invite' }],
      users: [{ ...user, password: 'long enough', verified: true, avatar_url: 'https://a.example' }],
      events: [{ ...event, ...given, slug: 'own', created_at: at, updated_at: at }],
      subscriptions: [{ ...subscription, status: 'accepted', answers: { a: 1 }, checked_in_at: at }],
    });
    const state = () =>
      Promise.all(
        ['organization', 'user', 'membership', 'subscription'].map((table) =>
          select(`select to_jsonb(t) - 'updated_at' - 'name' as row from "${table}" t`),
        ),
      );
    const before = await state();
    await importRows({
      ...all,
      organizations: [{ ...organization, name: 'Renamed' }],
      events: [{ ...event, name: 'Other', location: null }],
    });
    expect(await state()).toEqual(before);
    expect(await select('select name from organization')).toEqual([{ name: 'Renamed' }]);
    expect(await select('select * from event')).toMatchObject([
      {
        ...given,
        name: 'Other',
        slug: 'own',
        location: null,
        accepted_count: 1,
        created_at: '2020-01-01 00:00:00+00',
        updated_at: '2020-01-01 00:00:00+00',
      },
    ]);
  });

  test('changes the role of a membership that is there, found by its pair', async () => {
    await importRows(all);
    await importRows({ memberships: [{ ...membership, role: 'member' }] });
    expect(await select('select role from membership')).toEqual([{ role: 'member' }]);
  });

  test('unverifies an account that it is told to', async () => {
    await importRows({ users: [{ ...user, verified: true }] });
    await importRows({ users: [{ ...user, verified: false }] });
    expect(await select('select verified_at from "user"')).toEqual([{ verified_at: null }]);
  });

  test('makes slugs unique among those of the file and of the database, within each organization', async () => {
    const other = { id: randomUUID(), name: 'Harbour Arts' };
    const named = (name: string, further: object = {}) => ({ ...event, id: randomUUID(), name, ...further });
    await importRows({ organizations: [organization, other], events: [named('Party'), named('Party!')] });
    await importRows({
      events: [
        named('PARTY'),
        named('x', { slug: 'party-4' }),
        named('Party'),
        named('Party', { organization_id: other.id }),
        named('!!!'),
        named('Весна 2026'),
      ],
    });
    const slugs = await select<{ slug: string }>('select slug from event order by organization_id, slug');
    expect(slugs.map(({ slug }) => slug).sort()).toEqual([
      'event',
      'party',
      'party',
      'party-2',
      'party-3',
      'party-4',
      'party-5',
      'весна-2026',
    ]);
    expect(await select('select slug from organization order by slug')).toEqual([
      { slug: 'harbour-arts' },
      { slug: 'harbour-arts-2' },
    ]);
  });

  test('takes several subscriptions of one user at one event', async () => {
    const second = { ...subscription, id: randomUUID(), status: 'accepted' };
    await importRows({ ...all, subscriptions: [{ ...subscription, status: 'accepted' }, second] });
    expect(await select('select accepted_count from event')).toEqual([{ accepted_count: 2 }]);
  });

  test('takes an empty document, and a byte order mark', async () => {
    expect(await importText('\ufeff{}')).toEqual({
      organizations: 0,
      users: 0,
      memberships: 0,
      events: 0,
      subscriptions: 0,
    });
  });

  test('writes many thousands of rows in seconds', async () => {
    const events = Array.from({ length: 12_000 }, () => ({ ...event, id: randomUUID(), name: 'Standup' }));
    const subscriptions = events.map(({ id }) => ({
      ...subscription,
      id: randomUUID(),
      event_id: id,
      status: 'accepted',
    }));
    await importRows({ ...all, events, subscriptions });
    expect(
      await select(
        'select count(*)::int as events, count(distinct slug)::int as slugs, sum(accepted_count)::int as accepted from event',
      ),
    ).toEqual([{ events: 12_000, slugs: 12_000, accepted: 12_000 }]);
  }, 30_000);
});

describe('import of a faulty document', () => {
  const at = (path: string, row: object) => faultsOf({ ...all, [path.split('/')[1] ?? '']: [row] });

  test('tells every fault with its path, and writes nothing', async () => {
    const faults = await faultsOf({
      organizations: [organization, { id: randomUUID(), name: '' }],
      users: [user, { ...user, id: randomUUID(), email: 'ADA@example.ORG' }],
      events: [event, { ...event, id: 'x', date_end: '2026-04-01T00:00:00Z', surprise: 1, accepted_count: 1 }, 7],
      subscriptions: [{ ...subscription, event_id: randomUUID() }],
      extra: [],
    });
    expect(faults.map((fault) => fault.split(': ')[0]).sort()).toEqual([
      ...[
        '/events/1/accepted_count',
        '/events/1/date_end',
        '/events/1/id',
        '/events/1/surprise',
        '/events/2',
        '/extra',
      ],
      ...['/organizations/1/name', '/subscriptions/0/event_id', '/users/1/email'],
    ]);
    expect(
      await select('select 1 from organization union all select 1 from "user" union all select 1 from event'),
    ).toEqual([]);
  });

  test.each([
    ['/organizations/0/id', { ...organization, id: 7 }],
    ['/organizations/0/name', { ...organization, name: 'x'.repeat(201) }],
    ['/organizations/0/name', { ...organization, name: null }],
    ['/organizations/0/slug', { ...organization, slug: 'a/b' }],
    ['/organizations/0/signup', { ...organization, signup: 'closed' }],
    ['/organizations/0/created_at', { ...organization, created_at: '2026-02-30T00:00:00Z' }],
    ['/users/0/email', { ...user, email: 'nobody' }],
    ['/users/0/name', { ...user, name: '  ' }],
    ['/users/0/password', { ...user, password: 'short' }],
    ['/users/0/verified', { ...user, verified: 'yes' }],
    ['/users/0/avatar_url', { ...user, avatar_url: 'javascript:alert(1)' }],
    ['/memberships/0/role', { ...membership, role: 'admin' }],
    ['/memberships/0/id', { ...membership, id: randomUUID() }],
    ['/events/0/date_start', { ...event, date_start: '2026-05-01' }],
    ['/events/0/date_end', { ...event, date_end: undefined }],
    ['/events/0/status', { ...event, status: 4 }],
    ['/events/0/status', { ...event, status: '1' }],
    ['/events/0/timezone', { ...event, timezone: 'Mars/Olympus' }],
    ['/events/0/timezone', { ...event, timezone: '+02:00' }],
    ['/events/0/capacity', { ...event, capacity: -1 }],
    ['/events/0/capacity', { ...event, capacity: 2_147_483_648 }],
    ['/events/0/capacity', { ...event, capacity: 1.5 }],
    ['/events/0/visibility', { ...event, visibility: 'Public' }],
    ['/events/0/registration', { ...event, registration: null }],
    ['/events/0/description', { ...event, description: 'x'.repeat(20_001) }],
    ['/events/0/description', { ...event, description: 'a\0b' }],
    ['/events/0/location', { ...event, location: '\ud800' }],
    ['/events/0/name', { ...event, name: ['x'] }],
    ['/subscriptions/0/status', { ...subscription, status: 'maybe' }],
    ['/subscriptions/0/answers', { ...subscription, answers: [1] }],
    ['/subscriptions/0/answers/a/0/b~1', { ...subscription, answers: { a: [{ 'b/': 'x\0' }] } }],
    ['/subscriptions/0/answers/x\\u0000', { ...subscription, answers: { 'x\0': 1 } }],
    ['/subscriptions/0/checked_in_at', { ...subscription, checked_in_at: 'yesterday' }],
    ['/subscriptions/0/user_id', { ...subscription, user_id: randomUUID() }],
    ['/memberships/0/organization_id', { ...membership, organization_id: randomUUID() }],
    ['/events/0/organization_id', { ...event, organization_id: randomUUID() }],
  ])('names %s', async (path, row) => {
    const faults = await at(path, row);
    expect(faults.map((fault) => fault.split(': ')[0])).toContain(path);
  });

  test.each([
    ['/organizations/1/id', 'organizations', { ...organization, slug: 'b' }],
    ['/users/1/id', 'users', { ...user, email: 'b@example.org' }],
    ['/memberships/1/user_id', 'memberships', membership],
    ['/events/1/id', 'events', { ...event, id: event.id.toUpperCase() }],
    ['/subscriptions/1/id', 'subscriptions', subscription],
  ])('names %s, which is there twice', async (path, section, row) => {
    const faults = await faultsOf({ ...all, [section]: [...(all[section as keyof typeof all] ?? []), row] });
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([path]);
  });

  test('names what others in the database have: addresses and slugs', async () => {
    await importRows(all);
    const faults = await faultsOf({
      organizations: [{ id: randomUUID(), name: 'B', slug: 'harbour-arts' }],
      users: [{ id: randomUUID(), name: 'B', email: 'ada@example.org' }],
      events: [{ ...event, id: randomUUID(), slug: 'spring-fete' }],
    });
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
      '/users/0/email',
      '/organizations/0/slug',
      '/events/0/slug',
    ]);
  });

  test.each([
    ['no JSON', '{"users": [', /not JSON/],
    ['a list', '[]', /^\/: must be an object/],
    ['a section that is no list', '{"users": {}}', /^\/users: must be a list/],
    [
      'answers without end',
      JSON.stringify({
        ...all,
        subscriptions: [{ ...subscription, answers: JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) }],
      }),
      /nested/,
    ],
    [
      'a number past all numbers',
      JSON.stringify({ ...all, subscriptions: [{ ...subscription, answers: { a: 'huge' } }] }).replace(
        '"huge"',
        '1e999',
      ),
      /too large/,
    ],
  ])('refuses %s', async (_, text, reason) => {
    expect((await faultsOf(text))[0]).toMatch(reason);
  });

  test('refuses bytes that are not UTF-8', async () => {
    await expect(importText(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).rejects.toThrow(/not UTF-8/);
  });

  test('writes nothing where the database refuses at the end', async () => {
    await database.orm.em
      .getConnection()
      .execute(`alter table subscription add constraint never check (status <> 'declined')`);
    await expect(importRows({ ...all, subscriptions: [{ ...subscription, status: 'declined' }] })).rejects.toThrow(
      /never/,
    );
    expect(await select('select 1 from organization')).toEqual([]);
    await select('alter table subscription drop constraint never');
  });
});
