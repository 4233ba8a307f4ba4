import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { tables } from '../../src/db/import/tables.ts';
import { newEventFields } from '../../src/domain/event/event.input.ts';
import { all, event, membership, organization, subscription, useImports, user } from '../support/import.ts';

const { importRows, select } = useImports();

describe('import', () => {
  test('has a key, or a reason to refuse it, for whatever a write of an event can set', () => {
    const keys = [...Object.keys(tables.events.keys), ...Object.keys(tables.events.refused ?? {})];
    expect(Object.keys(newEventFields).filter((name) => !keys.includes(name))).toEqual([]);
  });

  test('writes rows of every section, with the defaults of what is left out', async () => {
    const before = new Date();
    expect(await importRows(all)).toEqual({
      ...{ organizations: 1, users: 1, memberships: 1, events: 1, subscriptions: 1 },
      ...{ forms: 0, former_slugs: 0, changes: 0 },
    });
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

  const at = '2020-02-03T04:05:06.789Z';
  const stored = '2020-02-03 04:05:06.789+00';
  const full = {
    ...{ description: 'D\n"\\%', status: 3, timezone: 'Europe/Berlin', location: 'Hall', capacity: 0 },
    ...{ visibility: 'public', registration: 'approval', slug: 'fete_2' },
  };
  const taken = { status: 'accepted', answers: { a: [1, null, 'ü'] } };
  const person = { ...user, avatar_url: 'https://images.example/a.png', verified: true, created_at: at };
  const everything = {
    organizations: [{ ...organization, slug: 'own', signup: 'invite', created_at: at }],
    users: [person],
    events: [{ ...event, ...full, created_at: at, updated_at: at }],
    subscriptions: [{ ...subscription, ...taken, checked_in_at: at, created_at: at, updated_at: at }],
  };

  test('writes every value as it is given, and counts what is accepted', async () => {
    await importRows(everything);
    expect(await select('select slug, signup, created_at from organization')).toEqual([
      { slug: 'own', signup: 'invite', created_at: stored },
    ]);
    expect(await select('select avatar_url, verified_at is not null as verified, created_at from "user"')).toEqual([
      { avatar_url: 'https://images.example/a.png', verified: true, created_at: stored },
    ]);
    expect(await select('select * from event')).toMatchObject([
      { ...full, accepted_count: 1, created_at: stored, updated_at: stored },
    ]);
    expect(await select('select * from subscription')).toMatchObject([
      { ...taken, checked_in_at: stored, created_at: stored, updated_at: stored },
    ]);
  });

  test('lowers the case of ids, and takes references in any case', async () => {
    await importRows({ users: [{ ...user, id: user.id.toUpperCase() }], organizations: [organization] });
    await importRows({ memberships: [{ ...membership, user_id: user.id.toUpperCase() }] });
    expect(await select('select user_id from membership')).toEqual([{ user_id: user.id }]);
  });

  test('spells a zone as a change of the event does', async () => {
    await importRows({ organizations: [organization], events: [{ ...event, timezone: 'asia/calcutta' }] });
    expect(await select('select timezone from event')).toEqual([{ timezone: 'Asia/Calcutta' }]);
  });

  test('keeps the values of existing rows if a key is left out, and takes null for a value', async () => {
    await importRows({ ...all, ...everything, users: [{ ...person, password: 'long enough' }] });
    const state = () =>
      Promise.all(
        ['organization', 'user', 'membership', 'subscription'].map((table) =>
          select(`select to_jsonb(t) - 'updated_at' - 'name' - 'version' as row from "${table}" t`),
        ),
      );
    const before = await state();
    const renamed = [{ ...organization, name: 'Renamed' }];
    await importRows({ ...all, organizations: renamed, events: [{ ...event, name: 'Other', location: null }] });
    expect(await state()).toEqual(before);
    expect(await select('select name, version from organization')).toEqual([{ name: 'Renamed', version: 2 }]);
    expect(await select('select * from event')).toMatchObject([
      { ...full, name: 'Other', location: null, accepted_count: 1, created_at: stored },
    ]);
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
      ...['event', 'party', 'party', 'party-2', 'party-3', 'party-4', 'party-5', 'весна-2026'],
    ]);
    expect(await select('select slug from organization order by slug')).toEqual([
      { slug: 'harbour-arts' },
      { slug: 'harbour-arts-2' },
    ]);
  });

  test('makes no slug that a path takes for something else', async () => {
    const id = randomUUID();
    const events = ['Count', 'Events', 'Count', id].map((name) => ({ ...event, id: randomUUID(), name }));
    await importRows({ organizations: [organization], events });
    const slugs = (await select<{ slug: string }>('select slug from event')).map(({ slug }) => slug);
    expect(slugs.sort()).toEqual(['count-2', 'count-3', 'events-2', `${id}-2`].sort());
  });

  test('takes several subscriptions of one user at one event', async () => {
    const second = { ...subscription, id: randomUUID(), status: 'accepted' };
    await importRows({ ...all, subscriptions: [{ ...subscription, status: 'accepted' }, second] });
    expect(await select('select accepted_count from event')).toEqual([{ accepted_count: 2 }]);
  });

  test('keeps the slug of an event that goes to another organization', async () => {
    const second = { id: randomUUID(), name: 'Second' };
    await importRows({ ...all, organizations: [organization, second], events: [{ ...event, slug: 'own' }] });
    await importRows({ events: [{ ...event, organization_id: second.id }] });
    expect(await select('select organization_id, slug from event')).toEqual([
      { organization_id: second.id, slug: 'own' },
    ]);
  });
});
