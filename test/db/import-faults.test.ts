import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ImportFaults } from '#table-import';
import { all, event, membership, organization, subscription, useImports, user } from '../support/import.ts';

const { importRows, select } = useImports();

/** Values that a field of a section cannot have. */
const wrong: Record<keyof typeof all, Record<string, unknown[]>> = {
  organizations: {
    ...{ id: [7], name: ['x'.repeat(201), null], slug: ['a/b'], signup: ['closed'], accent: ['#ffff00'] },
    ...{ description: ['x'.repeat(20_001)], website: ['javascript:alert(1)'], contact_email: ['nobody'] },
    ...{ version: [0, 1_000_000_001], created_at: ['2026-02-30T00:00:00Z'] },
  },
  users: {
    email: ['', 'nobody', 'a"b@example.org', 'a<victim@example.org>', `${'a'.repeat(65)}@example.org`],
    ...{ constructor: [1], name: ['  '], password: ['short'], verified: ['yes'], avatar_url: ['javascript:alert(1)'] },
  },
  memberships: { role: ['admin'], id: [randomUUID()], organization_id: [randomUUID()], created_at: ['once'] },
  events: {
    ...{
      date_start: ['2026-05-01'],
      date_end: [undefined, '2026-04-01T00:00:00Z'],
      status: [4, '1'],
      version: [0, 1_000_000_001],
      name: [['x']],
      location: ['\ud800'],
    },
    // the last two are names of ICU, which IANA does not have
    timezone: ['Mars/Olympus', '+02:00', 'PST', 'SystemV/PST8'],
    ...{ accepted_count: [1], capacity: [-1, 2_147_483_648, 1.5], visibility: ['Public'], registration: [null] },
    ...{ description: ['x'.repeat(20_001), 'a\0b'], organization_id: [randomUUID()] },
  },
  subscriptions: {
    status: ['maybe'],
    answers: [[1]],
    checked_in_at: ['yesterday'],
    user_id: [randomUUID()],
    guest_name: [7],
  },
};
const wrongRows = (Object.keys(wrong) as (keyof typeof all)[]).flatMap((section) =>
  Object.entries(wrong[section]).flatMap(([field, values]) =>
    values.map((value): [string, object] => [
      `/${section}/0/${field}`,
      { [section]: [{ ...all[section][0], [field]: value }] },
    ]),
  ),
);

const faultsOf = (document: object): Promise<string[]> =>
  importRows(document).then(
    () => [],
    (error: ImportFaults) => error.faults,
  );
/** Where the faults are. */
const placesOf = async (document: object) => (await faultsOf(document)).map((fault) => fault.split(': ')[0]);

const other = { id: '0192aaaa-0000-7000-8000-000000000002', name: 'Other' };
const question = { key: 'diet', type: 'text', label: 'What do you eat?' };
const form = { event_id: event.id, version: 3, questions: [question] };
const former = { organization_id: organization.id, slug: 'old-fete', event_id: event.id };
const change = { id: randomUUID(), subscription_id: subscription.id, status_to: 'pending' };

describe('import of a faulty document', () => {
  test.each<[string, object]>([
    ...wrongRows,
    ['/users/0/email', { users: [{ ...user, email: undefined }] }],
    ['/users/0/password', { users: [{ ...user, email: null, password: 'a long phrase' }] }],
    ['/users/1/email', { users: [user, { ...user, id: randomUUID(), email: 'ADA@example.ORG' }] }],
    ['/subscriptions/0/event_id', { subscriptions: [{ ...subscription, event_id: randomUUID() }] }],
    ['/subscriptions/0/answers/a/0/b~1', { subscriptions: [{ ...subscription, answers: { a: [{ 'b/': 'x\0' }] } }] }],
    ['/forms/0/event_id', { forms: [{ ...form, event_id: randomUUID() }] }],
    ['/forms/0/version', { forms: [{ ...form, version: 0 }] }],
    ['/forms/0/questions', { forms: [{ ...form, questions: [{ ...question, type: 'colour' }] }] }],
    ['/forms/0/questions', { forms: [{ event_id: event.id, version: 1 }] }],
    ['/forms/1/version', { forms: [form, { ...form, questions: [] }] }],
    ['/former_slugs/0/slug', { former_slugs: [{ ...former, slug: 'a/b' }] }],
    ['/former_slugs/0/slug', { events: [{ ...event, slug: 'old-fete' }], former_slugs: [former] }],
    ['/former_slugs/0/event_id', { former_slugs: [{ ...former, event_id: randomUUID() }] }],
    ['/former_slugs/1/slug', { former_slugs: [former, former] }],
    [
      '/former_slugs/0/event_id',
      { organizations: [organization, other], former_slugs: [{ ...former, organization_id: other.id }] },
    ],
    ['/changes/0/subscription_id', { changes: [{ ...change, subscription_id: randomUUID() }] }],
    ['/changes/0/status_to', { changes: [{ ...change, status_to: 'maybe' }] }],
    ['/changes/0/kind', { changes: [{ ...change, kind: 'dance' }] }],
    ['/changes/1/id', { changes: [change, change] }],
  ])('names %s, and writes nothing', async (path, sections) => {
    expect(await placesOf({ ...all, ...sections })).toContain(path);
    expect(await select('select from organization')).toEqual([]);
  });

  test('names what others in the database have: addresses and slugs', async () => {
    await importRows(all);
    const places = await placesOf({
      organizations: [{ id: randomUUID(), name: 'B', slug: 'harbour-arts' }],
      users: [{ id: randomUUID(), name: 'B', email: 'ada@example.org' }],
      events: [{ ...event, id: randomUUID(), slug: 'spring-fete' }],
    });
    expect(places).toEqual(['/organizations/0/slug', '/users/0/email', '/events/0/slug']);
  });

  test('names two users, or one in the database, whose addresses are one mailbox', async () => {
    const written = { ...user, id: randomUUID(), email: 'ada@b\u00fccher.example' };
    const ascii = { ...user, id: randomUUID(), email: 'Ada@XN--bcher-kva.example' };
    expect(await faultsOf({ users: [written, ascii] })).toEqual(['/users/1/email: is the same as in /users/0']);
    await importRows({ users: [written] });
    expect(await faultsOf({ users: [ascii] })).toEqual([`/users/0/email: is taken in the database, by ${written.id}`]);
    // PostgreSQL would make these two one
    await importRows({
      users: [
        { ...user, id: randomUUID(), email: 'bob@minix.example' },
        { ...user, id: randomUUID(), email: 'bob@m\u0130nix.example' },
      ],
    });
    const found = await select(`select mailbox from "user" order by mailbox`);
    expect(found).toEqual([
      { mailbox: 'ada@xn--bcher-kva.example' },
      { mailbox: 'bob@minix.example' },
      { mailbox: expect.stringMatching(/^bob@xn--[a-z0-9-]+\.example$/) },
    ]);
  });

  test('names the slug of an event that cannot be kept in another organization', async () => {
    const second = { id: randomUUID(), name: 'Second' };
    const there = { ...event, id: randomUUID(), organization_id: second.id, slug: 'spring-fete' };
    await importRows({ ...all, organizations: [organization, second], events: [event, there] });
    const faults = await faultsOf({ events: [{ ...event, organization_id: second.id }] });
    expect(faults).toEqual([`/events/0/slug: is taken in the database, by ${there.id}`]);
  });

  test('writes nothing if the database refuses at the end', async () => {
    await select(`alter table subscription add constraint never check (status <> 'declined')`);
    await expect(importRows({ ...all, subscriptions: [{ ...subscription, status: 'declined' }] })).rejects.toThrow(
      /never/,
    );
    expect(await select('select 1 from organization')).toEqual([]);
    await select('alter table subscription drop constraint never');
  });
});

// What an import takes so that an export can come back (guides/import-and-export.md#imports).

describe('an import', () => {
  test('takes what an organization says about itself; its version never names other values', async () => {
    const profile = {
      ...{
        description: '**Hello**',
        website: 'https://example.org',
        contact_email: 'a@example.org',
        accent: '#0B6E4F',
      },
    };
    const stored = { ...profile, accent: '#0b6e4f' };
    const names = 'description, website, contact_email, accent, version';
    const shown = () => select(`select ${names} from organization`);
    await importRows({ organizations: [{ ...organization, ...profile, version: 5 }] });
    expect(await shown()).toEqual([{ ...stored, version: 5 }]);
    await importRows({ organizations: [{ ...organization, ...profile, version: 3 }] });
    expect(await shown()).toEqual([{ ...stored, version: 5 }]);
    await importRows({ organizations: [{ ...organization, website: null }] });
    expect(await shown()).toEqual([{ ...stored, website: null, version: 6 }]);
  });

  test('takes users without an address, whom nobody can be', async () => {
    const deleted = { id: randomUUID(), email: null, name: 'Deleted user', verified: true };
    await importRows({ ...all, users: [user, deleted, { ...deleted, id: randomUUID() }] });
    expect(await select(`select email, mailbox, password_hash from "user" where name = 'Deleted user'`)).toEqual([
      { email: null, mailbox: null, password_hash: null },
      { email: null, mailbox: null, password_hash: null },
    ]);
  });

  test('ends the access of an account whose address it takes away', async () => {
    await importRows({ ...all, users: [{ ...user, verified: true, password: 'a long phrase' }] });
    await select(
      `insert into session (id, user_id, expires_at) values (gen_random_uuid(), '${user.id}', now() + interval '1 day')`,
    );
    await importRows({ users: [{ id: user.id, email: null, name: 'Deleted user' }] });
    expect(await select('select password_hash, mailbox from "user"')).toEqual([{ password_hash: null, mailbox: null }]);
    expect(await select('select end_reason from session')).toEqual([{ end_reason: 'password_changed' }]);
  });

  test('takes since when somebody is a member, and keeps it', async () => {
    const since = async () =>
      (await select<{ at: string }>(`select created_at at time zone 'UTC' as at from membership`))[0]?.at;
    await importRows({ ...all, memberships: [{ ...membership, created_at: '2020-02-03T04:05:06.789Z' }] });
    expect(await since()).toBe('2020-02-03 04:05:06.789');
    await importRows({ memberships: [{ ...membership, role: 'member' }] });
    expect(await since()).toBe('2020-02-03 04:05:06.789');
    expect(await select('select role from membership')).toEqual([{ role: 'member' }]);
  });

  test('stores the same questions once, and takes forms and the history alone for rows that are there', async () => {
    const forms = [form, { ...form, version: 1, questions: [] }, { ...form, version: 4 }];
    const document = { ...all, forms, former_slugs: [former], changes: [change] };
    expect(await importRows(document)).toMatchObject({ forms: 3, former_slugs: 1, changes: 1 });
    expect(await select('select from form_content')).toHaveLength(2);
    await importRows({ forms: [{ ...form, questions: [] }] });
    await importRows({ changes: [{ ...change, kind: 'check_in', status_from: 'pending', actor_id: randomUUID() }] });
    expect(await select('select kind from subscription_change')).toEqual([{ kind: 'check_in' }]);
  });

  test('does not bring back an organization before it is gone', async () => {
    await importRows(all);
    await select('update organization set deleted_at = now()');
    const faults = await faultsOf(all);
    expect(faults).toEqual(['/organizations/0/id: is being deleted; it can come back within an hour']);
    expect(await faultsOf({ events: [event] })).toEqual([
      '/events/0/organization_id: does not refer to any of the organizations in the file or the database',
    ]);
  });
});
