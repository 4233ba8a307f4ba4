import { beforeEach, describe, expect, test } from 'vitest';
import { all, event, organization, subscription, useImports, user } from '../support/import.ts';

const { importRows, select } = useImports();
beforeEach(() => select('truncate change, change_floor'));

const future = { date_start: '2126-05-01T18:00:00Z', date_end: '2126-05-01T20:00:00Z' };
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

describe('an import', () => {
  test('tells of what it creates and changes, and of nothing else', async () => {
    await importRows({ ...all, events: [{ ...event, ...future, status: 1 }] });
    expect(await told()).toEqual([
      ['here', 'event', 'created', 'created', 'e1', null, 1],
      ['here', 'subscription', 'created', 'created', String(subscription.id).slice(-2), 'first', null],
    ]);
    await importRows({ ...all, events: [{ ...event, ...future, status: 1 }] });
    expect(await told()).toEqual([]);
    await importRows({ events: [{ ...event, ...future, status: 1, name: 'Renamed' }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'changed', 'e1', null, 2]]);
    await importRows({ subscriptions: [{ ...subscription, status: 'accepted', answers: { a: 1 } }] });
    expect(await told()).toEqual([
      ['here', 'event', 'changed', 'changed', 'e1', null, 2],
      ['here', 'subscription', 'changed', 'changed', String(subscription.id).slice(-2), 'first', null],
    ]);
  });

  test('shows members nothing of drafts, and publishes and hides as commands do', async () => {
    await importRows({ ...all, events: [{ ...event, ...future, status: 0 }] });
    expect((await told()).map((each) => each[3])).toEqual([null, null]);
    await importRows({ events: [{ ...event, ...future, status: 1 }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'created', 'e1', null, 2]]);
    await importRows({ events: [{ ...event, ...future, status: 0 }] });
    expect(await told()).toEqual([['here', 'event', 'changed', 'hidden', 'e1', null, 3]]);
  });

  test('hides what another organization or another holder gets', async () => {
    await importRows({ ...all, events: [{ ...event, ...future, status: 1 }] });
    await importRows({ organizations: [other], users: [second] });
    await told();
    await importRows({ subscriptions: [{ ...subscription, user_id: second.id }] });
    const id = String(subscription.id).slice(-2);
    expect(await told()).toEqual([
      ['here', 'subscription', 'changed', 'created', id, 'second', null],
      ['here', 'subscription', null, 'hidden', id, 'first', null],
    ]);
    await importRows({ events: [{ ...event, ...future, status: 1, organization_id: other.id }] });
    expect(await told()).toEqual([
      ['here', 'event', 'hidden', 'hidden', 'e1', null, null],
      ['there', 'event', 'created', 'created', 'e1', null, 2],
      ['here', 'subscription', 'hidden', 'hidden', id, 'second', null],
      ['there', 'subscription', 'created', 'created', id, 'second', null],
    ]);
  });

  test('tells of the waiting list that it moves', async () => {
    const waits = { ...subscription, status: 'waitlisted' };
    await importRows({ ...all, events: [{ ...event, ...future, status: 1, capacity: 0 }], subscriptions: [waits] });
    await told();
    await importRows({ events: [{ ...event, ...future, status: 1, capacity: 1 }] });
    expect((await told()).map((each) => each.slice(1, 4))).toEqual([
      ['event', 'changed', 'changed'],
      ['subscription', 'changed', 'changed'],
    ]);
  });

  test('tells of more than 10,000 objects of a kind as one refetch', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      ...{ ...event, ...future, name: `Event ${index}` },
      id: `0192aaaa-0000-7000-8000-0000${String(index).padStart(8, '0')}`,
    }));
    await importRows({ organizations: [organization, other], events: many });
    await importRows({ events: [{ ...event, ...future, organization_id: other.id }] });
    expect(await told()).toEqual([
      ['here', 'event', 'refetch', 'refetch', null, null, null],
      ['there', 'event', 'created', null, 'e1', null, 1],
    ]);
  });

  test('tells of forms, also if a version gets other questions, and of no older ones', async () => {
    const question = { key: 'diet', type: 'text', label: 'Diet' };
    const form = { event_id: event.id, version: 2, questions: [question] };
    await importRows({ ...all, events: [{ ...event, ...future, status: 1 }] });
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
