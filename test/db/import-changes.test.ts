import { beforeEach, describe, expect, test } from 'vitest';
import { all, event, organization, subscription, useImports, user } from '../support/import.ts';

const { importRows, select } = useImports();
beforeEach(() => select('truncate change, change_floor'));

const dates = { date_start: '2126-05-01T18:00:00Z', date_end: '2126-05-01T20:00:00Z' };
const future = { ...dates, status: 1 };

/** So many people with a subscription each, on the list in the order of their numbers. */
function waiting(count: number, fields: (index: number) => object = () => ({})) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const id = (letter: string, index: number) => `0192aaaa-0000-7000-8000-00000000${letter}00${index}`;
  return {
    organizations: [organization],
    users: numbers.map((index) => ({ ...user, id: id('a', index), email: `p${index}@example.org`, verified: true })),
    subscriptions: numbers.map((index) => ({
      ...{ id: id('f', index), event_id: event.id, user_id: id('a', index), status: 'waitlisted' },
      created_at: `2026-01-0${index + 1}T00:00:00Z`,
      ...fields(index),
    })),
  };
}

const states = () =>
  select<{ status: string; since: string | null }>(
    `select status, to_char(waiting_since at time zone 'UTC', 'YYYY-MM-DD') as since from subscription order by id`,
  );

describe('import of events and subscriptions', () => {
  test('counts the version on for a change, and for nothing else', async () => {
    await importRows(all);
    const version = async () => (await select<{ version: number }>('select version from event'))[0]?.version;
    expect(await version()).toBe(1);
    await importRows({ events: [event] });
    await importRows({ events: [{ ...event, updated_at: '2026-01-01T00:00:00Z' }] });
    expect(await version()).toBe(1);
    await importRows({ events: [{ ...event, location: 'Hall', waiting_list: false }] });
    expect(await version()).toBe(2);
    expect(await select('select waiting_list from event')).toEqual([{ waiting_list: false }]);
  });

  test('moves updated_at for a change, and keeps one that is given', async () => {
    const early = '2020-01-01T00:00:00Z';
    await importRows({ ...all, events: [{ ...event, updated_at: early }] });
    const moved = async (since: string) =>
      (await select<{ moved: boolean }>(`select updated_at > '${since}' as moved from event`))[0]?.moved;
    await importRows({ events: [event] });
    expect(await moved(early)).toBe(false);
    await importRows({ events: [{ ...event, location: 'Hall' }] });
    expect(await moved(early)).toBe(true);
    const given = '2021-01-01T00:00:00Z';
    await importRows({ events: [{ ...event, location: 'Attic', updated_at: given }] });
    expect(await select(`select updated_at = '${given}' as kept from event`)).toEqual([{ kept: true }]);
  });

  test('has no version of a form without answers', async () => {
    const stored = async (fields: object) => {
      await importRows({ ...all, subscriptions: [{ ...subscription, ...fields }] });
      return await select('select answers, form_version from subscription');
    };
    expect(await stored({ form_version: 2 })).toEqual([{ answers: null, form_version: null }]);
    expect(await stored({ answers: {}, form_version: 2 })).toEqual([{ answers: {}, form_version: 2 }]);
    expect(await stored({ answers: null })).toEqual([{ answers: null, form_version: null }]);
  });

  test('takes a version, and goes back to none', async () => {
    const versions = async (version?: number, fields: object = {}) => {
      await importRows({ ...all, events: [{ ...event, ...fields, ...(version === undefined ? {} : { version }) }] });
      return (await select<{ version: number }>('select version from event'))[0]?.version;
    };
    expect(await versions(3)).toBe(3);
    expect(await versions()).toBe(3);
    expect(await versions(3, { location: 'Hall' })).toBe(4);
    expect(await versions(2, { location: 'Hall' })).toBe(4);
    expect(await versions(9, { location: 'Hall' })).toBe(9);
  });

  test('lets who waits wait since the time that is given, or since the subscription was made', async () => {
    const people = waiting(3, (index) => (index === 1 ? { waiting_since: '2026-03-01T00:00:00Z' } : {}));
    await importRows({ ...people, events: [{ ...event, ...future, capacity: 0 }] });
    expect(await states()).toEqual([
      { status: 'waitlisted', since: '2026-01-01' },
      { status: 'waitlisted', since: '2026-03-01' },
      { status: 'waitlisted', since: '2026-01-03' },
    ]);
  });

  test('gives free places to the earliest, with their history and mails', async () => {
    const people = waiting(3, (index) => (index === 0 ? { waiting_since: '2026-03-01T00:00:00Z' } : {}));
    await importRows({ ...people, events: [{ ...event, ...future, capacity: 2 }] });
    expect((await states()).map(({ status }) => status)).toEqual(['waitlisted', 'accepted', 'accepted']);
    expect(await select('select accepted_count from event')).toEqual([{ accepted_count: 2 }]);
    expect(await select('select kind, status_from, status_to, actor_id from subscription_change')).toEqual(
      Array(2).fill({ kind: 'status', status_from: 'waitlisted', status_to: 'accepted', actor_id: null }),
    );
    expect(await select(`select kind from job where lane ~ 'mails'`)).toHaveLength(2);
    // nothing moves at an event that is no longer, or not yet, active
    await importRows({ events: [{ ...event, ...future, capacity: 3, status: 2 }] });
    expect((await states()).map(({ status }) => status)).toEqual(['waitlisted', 'accepted', 'accepted']);
    await importRows({ events: [{ ...event, ...future, status: 1 }] });
    expect((await states()).map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  test('brings no reminder of an event that starts within a day', async () => {
    const starts = (hours: number) => ({
      ...future,
      date_start: new Date(Date.now() + hours * 3_600_000).toISOString(),
    });
    const reminded = async () =>
      (await select<{ late: boolean }>('select reminded_start = date_start as late from event'))[0]?.late ?? false;
    await importRows({ ...all, events: [{ ...event, ...starts(23) }] });
    expect(await reminded()).toBe(true);
    await importRows({ events: [{ ...event, ...starts(25) }] });
    expect(await reminded()).toBe(false);
    // it starts in a day by now, and the reminder is due
    await select(`update event set date_start = now() + interval '23 hours'`);
    const [row] = await select<{ start: string }>('select date_start as start from event');
    const same = { ...starts(0), date_start: new Date(String(row?.start)).toISOString() };
    await importRows({ events: [{ ...event, ...same, location: 'Hall' }] });
    expect(await reminded()).toBe(false);
    await importRows({ events: [{ ...event, ...same, status: 0 }] });
    await importRows({ events: [{ ...event, ...same }] });
    expect(await reminded()).toBe(true);
  });

  test('may exceed the capacity, since it copies what was', async () => {
    const subscriptions = [{ ...subscription, status: 'accepted' }];
    await importRows({ ...all, events: [{ ...event, ...future, capacity: 0 }], subscriptions });
    expect(await select('select capacity, accepted_count from event')).toEqual([{ capacity: 0, accepted_count: 1 }]);
  });
});

const other = { id: '0192aaaa-0000-7000-8000-000000000002', name: 'Other' };
const second = { id: '0192aaaa-0000-7000-8000-0000000000a2', email: 'b@example.org', name: 'Bea', verified: true };

/** What the log has been told since the last call. */
async function told() {
  const rows = await select<Record<string, unknown>>(
    'select organization_id, kind, op, member_op, object_id, user_id, version, actor_id from change order by seq',
  );
  await select('truncate change');
  return rows.map(({ organization_id, kind, op, member_op, object_id, user_id, version, actor_id }) => {
    expect(actor_id).toBeNull();
    const of = organization_id === organization.id ? 'here' : 'there';
    const holder = user_id === null ? null : user_id === user.id ? 'first' : 'second';
    return [of, kind, op, member_op, object_id === null ? null : String(object_id).slice(-2), holder, version];
  });
}

describe('the log of changes after an import', () => {
  test('tells of what it creates and changes, and of nothing else', async () => {
    await importRows({ ...all, events: [{ ...event, ...future }] });
    expect(await told()).toEqual([
      ['here', 'event', 'created', 'created', 'e1', null, 1],
      ['here', 'subscription', 'created', 'created', String(subscription.id).slice(-2), 'first', null],
    ]);
    await importRows({ ...all, events: [{ ...event, ...future }] });
    expect(await told()).toEqual([]);
    await importRows({ events: [{ ...event, ...future, name: 'Renamed' }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'changed', 'e1', null, 2]]);
    await importRows({ subscriptions: [{ ...subscription, status: 'accepted', answers: { a: 1 } }] });
    expect(await told()).toEqual([
      ['here', 'event', 'changed', 'changed', 'e1', null, 2],
      ['here', 'subscription', 'changed', 'changed', String(subscription.id).slice(-2), 'first', null],
    ]);
  });

  test('shows members nothing of drafts, and publishes and hides as commands do', async () => {
    await importRows({ ...all, events: [{ ...event, ...dates, status: 0 }] });
    expect((await told()).map((each) => each[3])).toEqual([null, null]);
    await importRows({ events: [{ ...event, ...future }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'created', 'e1', null, 2]]);
    await importRows({ events: [{ ...event, ...dates, status: 0 }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'hidden', 'e1', null, 3]]);
  });

  test('hides what another organization or another holder gets', async () => {
    await importRows({ ...all, events: [{ ...event, ...future }] });
    await importRows({ organizations: [other], users: [second] });
    await told();
    await importRows({ subscriptions: [{ ...subscription, user_id: second.id }] });
    const id = String(subscription.id).slice(-2);
    expect(await told()).toEqual([
      ['here', 'subscription', 'changed', 'created', id, 'second', null],
      ['here', 'subscription', null, 'hidden', id, 'first', null],
    ]);
    await importRows({ events: [{ ...event, ...dates, organization_id: other.id }] });
    expect(await told()).toEqual([
      ['here', 'event', 'hidden', 'hidden', 'e1', null, null],
      ['there', 'event', 'created', 'created', 'e1', null, 2],
      ['here', 'subscription', 'hidden', 'hidden', id, 'second', null],
      ['there', 'subscription', 'created', 'created', id, 'second', null],
    ]);
  });

  test('tells of the waiting list that it moves', async () => {
    const waits = { ...subscription, status: 'waitlisted' };
    await importRows({ ...all, events: [{ ...event, ...future, capacity: 0 }], subscriptions: [waits] });
    await told();
    await importRows({ events: [{ ...event, ...future, capacity: 1 }] });
    expect((await told()).map((each) => each.slice(1, 4))).toEqual([
      ['event', 'changed', 'changed'],
      ['subscription', 'changed', 'changed'],
    ]);
  });

  test('tells of more than 10,000 objects of a kind as one refetch', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      ...{ ...event, ...dates, name: `Event ${index}` },
      id: `0192aaaa-0000-7000-8000-0000${String(index).padStart(8, '0')}`,
    }));
    await importRows({ organizations: [organization, other], events: many });
    await importRows({ events: [{ ...event, ...dates, organization_id: other.id }] });
    expect(await told()).toEqual([
      ['here', 'event', 'refetch', 'refetch', null, null, null],
      ['there', 'event', 'created', null, 'e1', null, 1],
    ]);
  });

  test('tells of forms, also if a version gets other questions, and of no older ones', async () => {
    const question = { key: 'diet', type: 'text', label: 'Diet' };
    const form = { event_id: event.id, version: 2, questions: [question] };
    await importRows({ ...all, events: [{ ...event, ...future }] });
    await told();
    await importRows({ forms: [form] });
    expect(await told()).toEqual([['here', 'form', 'created', 'created', 'e1', null, 2]]);
    await importRows({ forms: [form, { ...form, version: 1 }] });
    expect(await told()).toEqual([]);
    await importRows({ forms: [{ ...form, questions: [{ ...question, label: 'Food' }] }] });
    expect(await told()).toEqual([['here', 'form', 'changed', 'changed', 'e1', null, 2]]);
    await importRows({ forms: [{ ...form, version: 3 }] });
    expect(await told()).toEqual([['here', 'form', 'changed', 'changed', 'e1', null, 3]]);
  });
});
