import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ImportFaults } from '#table-import';
import { all, event, organization, subscription, useImports, user } from '../support/import.ts';

const { importRows, select } = useImports();

/** Values that a field of a section cannot have. */
const wrong: Record<keyof typeof all, Record<string, unknown[]>> = {
  organizations: {
    ...{ id: [7], name: ['x'.repeat(201), null], slug: ['a/b'], signup: ['closed'], version: [0], accent: ['#ffff00'] },
    ...{ description: ['x'.repeat(20_001)], website: ['javascript:alert(1)'], contact_email: ['nobody'] },
    created_at: ['2026-02-30T00:00:00Z'],
  },
  users: {
    email: ['nobody', 'a"b@example.org', 'a<victim@example.org>', `${'a'.repeat(65)}@example.org`],
    ...{ constructor: [1], name: ['  '], password: ['short'], verified: ['yes'], avatar_url: ['javascript:alert(1)'] },
  },
  memberships: { role: ['admin'], id: [randomUUID()], organization_id: [randomUUID()] },
  events: {
    ...{ date_start: ['2026-05-01'], date_end: [undefined], status: [4, '1'], name: [['x']], location: ['\ud800'] },
    // the last two are names of ICU, which IANA does not have
    timezone: ['Mars/Olympus', '+02:00', 'PST', 'SystemV/PST8'],
    ...{ capacity: [-1, 2_147_483_648, 1.5], visibility: ['Public'], registration: [null] },
    ...{ description: ['x'.repeat(20_001), 'a\0b'], organization_id: [randomUUID()] },
  },
  subscriptions: { status: ['maybe'], answers: [[1]], checked_in_at: ['yesterday'], user_id: [randomUUID()] },
};
const wrongRows = (Object.keys(wrong) as (keyof typeof all)[]).flatMap((section) =>
  Object.entries(wrong[section]).flatMap(([field, values]) =>
    values.map((value): [string, object] => [`/${section}/0/${field}`, { ...all[section][0], [field]: value }]),
  ),
);

async function faultsOf(document: object | string): Promise<string[]> {
  const error = await importRows(document).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof ImportFaults)) throw new Error(`The import was not refused but: ${error}`);
  return error.faults;
}

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
      ...['/events/1/accepted_count', '/events/1/date_end', '/events/1/id', '/events/1/surprise', '/events/2'],
      ...['/extra'],
      ...['/organizations/1/name', '/subscriptions/0/event_id', '/users/1/email'],
    ]);
    expect(
      await select('select 1 from organization union all select 1 from "user" union all select 1 from event'),
    ).toEqual([]);
  });

  test.each([
    ...wrongRows,
    ['/subscriptions/0/answers/a/0/b~1', { ...subscription, answers: { a: [{ 'b/': 'x\0' }] } }] as const,
    ['/subscriptions/0/answers/x\\u0000', { ...subscription, answers: { 'x\0': 1 } }] as const,
  ])('names %s', async (path, row) => {
    const faults = await at(path, row);
    expect(faults.map((fault) => fault.split(': ')[0])).toContain(path);
  });

  test('names what others in the database have: addresses and slugs', async () => {
    await importRows(all);
    const faults = await faultsOf({
      organizations: [{ id: randomUUID(), name: 'B', slug: 'harbour-arts' }],
      users: [{ id: randomUUID(), name: 'B', email: 'ada@example.org' }],
      events: [{ ...event, id: randomUUID(), slug: 'spring-fete' }],
    });
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
      '/organizations/0/slug',
      '/users/0/email',
      '/events/0/slug',
    ]);
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
