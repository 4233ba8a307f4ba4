import { describe, expect, it } from 'vitest';
import { asQuery } from '../src/graphql-stream.ts';
import {
  growthOf,
  type ListArguments,
  type LoadedList,
  matches,
  type Place,
  placeIn,
  type Read,
  type Where,
} from '../src/lists.ts';

type Fields = Record<string, unknown>;

/** Reads an object as adapters do: below links with a dot, and undefined for what the cache does not have. */
const reader =
  (object: Fields): Read =>
  (path) =>
    path.split('.').reduce<unknown>((at, name) => (at ? (at as Fields)[name] : at), object);

const uuid = (number: number) => `019b7739-16c4-713d-922e-${String(number).padStart(12, '0')}`;
const globalId = (number: number, type = 'Event') => btoa(`${type}:${uuid(number)}`);

function event(number: number, day: number, more: Fields = {}): Read {
  const dateStart = `2031-05-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  return reader({ id: globalId(number), name: `Event ${number}`, dateStart, status: 'ACTIVE', ...more });
}

describe('where an object belongs in the loaded part of a list', () => {
  const list = (args: ListArguments, more: Partial<LoadedList> = {}): LoadedList => ({
    kind: 'event',
    args,
    items: [event(1, 3), event(2, 5), event(3, 5), event(4, 9)],
    index: -1,
    hasPreviousPage: true,
    hasNextPage: true,
    ...more,
  });

  it.each<[string, ListArguments, Partial<LoadedList>, Read, unknown]>([
    ['between others', {}, {}, event(9, 4), 1],
    ['by its id among those of one time, whatever the alphabet of base64', {}, {}, event(0, 5), 1],
    ['after those of one time', {}, {}, event(9, 5), 3],
    ['before all, on a page that is not loaded', {}, {}, event(9, 1), 'before'],
    ['before all, where nothing precedes', {}, { hasPreviousPage: false }, event(9, 1), 0],
    ['after all, on a page that is not loaded', {}, {}, event(9, 20), 'after'],
    ['after all, where nothing follows', {}, { hasNextPage: false }, event(9, 20), 4],
    ['where it was, first with others before', {}, { index: 0 }, event(9, 1), 0],
    ['where it was, last with others after', {}, { index: 4 }, event(9, 20), 4],
    ['between the beginning in time and the first', { from: '2031-05-02T00:00:00Z' }, {}, event(9, 2), 0],
    ['before the beginning in time', { from: '2031-05-02T00:00:00Z' }, {}, event(9, 1), 'before'],
    ['in an empty list', { from: '2031-05-02T00:00:00Z' }, { items: [], hasNextPage: false }, event(9, 2), 0],
    ['outside of its filter', { where: { status: { eq: 'CANCELLED' } } }, {}, event(9, 4), 'none'],
    ['not known without the field of the filter', { where: { capacity: { gt: 1 } } }, {}, event(9, 4), 'unknown'],
    ['not known without its time', {}, {}, reader({ id: globalId(9) }), 'unknown'],
  ])('%s', (_, args, more, object, place) => {
    expect(placeIn(list(args, more), object)).toBe(place);
  });

  it('follows the reverse order, and the order of creation', () => {
    const items = [event(4, 9), event(3, 5), event(2, 5), event(1, 3)];
    const orderBy = { field: 'DATE_START', direction: 'DESC' };
    expect(placeIn(list({ orderBy }, { items }), event(9, 4))).toBe(3);
    expect(placeIn(list({ orderBy, from: '2031-05-10T00:00:00Z' }, { items }), event(9, 11))).toBe('before');
    const made = (number: number, day: number) => event(number, 1, { createdAt: `2031-01-0${day}T00:00:00Z` });
    const byCreation = list({ orderBy: { field: 'CREATED_AT' } }, { items: [made(1, 1), made(2, 3)] });
    expect(placeIn(byCreation, made(9, 2))).toBe(1);
  });
});

describe('by how much a change alters the length of a list', () => {
  const where = { status: { eq: 'ACTIVE' } };
  it.each<[string, string, Where, number, Place, number]>([
    ['created in the loaded part', 'CREATED', where, -1, 2, 1],
    ['created on a page that is not loaded', 'CREATED', where, -1, 'after', 1],
    ['created outside of the filter', 'CREATED', where, -1, 'none', 0],
    ['created before it was read', 'CREATED', where, 2, 2, 0],
    ['changed into the filter', 'CHANGED', where, -1, 2, 1],
    ['changed out of the filter', 'CHANGED', where, 2, 'none', -1],
    ['moved to a page that is not loaded', 'CHANGED', where, 2, 'after', 0],
    ['moved from there, without a filter', 'CHANGED', {}, -1, 2, 0],
    ['changed on a page that is not loaded', 'CHANGED', where, -1, 'after', 0],
    ['missing from a page that was read before', 'READ', {}, -1, 2, 1],
    ['deleted from the loaded part', 'DELETED', where, 2, 'none', -1],
    ['hidden, on a page that is not loaded', 'HIDDEN', {}, -1, 'none', -1],
    ['deleted, whatever it was', 'DELETED', { capacity: { gt: 1 } }, -1, 'none', 0],
    ['not known', 'CHANGED', where, -1, 'unknown', 0],
  ])('%s', (_, op, filter, index, at, growth) => {
    const list = {
      kind: 'event' as const,
      args: { where: filter },
      items: [],
      hasPreviousPage: true,
      hasNextPage: true,
    };
    expect(growthOf({ ...list, index }, event(9, 4), op, at)).toBe(growth);
  });
});

describe('whether a filter matches', () => {
  const fields = {
    id: globalId(1),
    name: 'Book Club',
    capacity: null,
    waitingList: true,
    dateStart: '2001-05-04T10:00:00.000Z',
    dateEnd: '2001-05-04T12:00:00.000Z',
    status: 'ACTIVE',
    viewerSubscription: { status: 'ACCEPTED' },
  };

  it.each<[Where, boolean | undefined]>([
    [{}, true],
    [{ name: { contains: 'CLUB' } }, true],
    [{ name: { contains: '%' } }, false],
    [{ id: { eq: uuid(1) } }, true],
    [{ id: { in: [globalId(2), globalId(1)] } }, true],
    [{ dateStart: { gte: '2001-05-04T12:00:00+02:00', lt: '2002-01-01T00:00:00Z' } }, true],
    [{ capacity: { eq: null } }, true],
    [{ capacity: { ne: 5 } }, true],
    [{ capacity: { gt: 5 } }, false],
    [{ not: { capacity: { gt: 5 } } }, true],
    [{ waitingList: { ne: true } }, false],
    [{ viewerSubscription: { in: ['ACCEPTED', 'PENDING'] } }, true],
    [{ phase: { eq: 'CONCLUDED' } }, true],
    [{ or: [{ status: { eq: 'CANCELLED' } }, { name: { contains: 'club' } }] }, true],
    [{ and: [{ status: { eq: 'ACTIVE' } }, { name: { contains: 'chess' } }] }, false],
    [{ slug: { eq: 'book-club' } }, undefined],
    [{ or: [{ slug: { eq: 'book-club' } }, { status: { eq: 'ACTIVE' } }] }, true],
    [{ slug: { eq: 'book-club' }, status: { eq: 'DRAFT' } }, false],
  ])('%j: %s', (where, is) => {
    expect(matches(where, reader(fields))).toBe(is);
  });

  it('by the status of a subscription that does not exist', () => {
    const without = reader({ ...fields, viewerSubscription: null });
    expect(matches({ viewerSubscription: { eq: null } }, without)).toBe(true);
    expect(matches({ viewerSubscription: { eq: 'ACCEPTED' } }, without)).toBe(false);
    const subscription = reader({ event: { id: globalId(1) }, status: 'PENDING' });
    expect(matches({ eventId: { eq: uuid(1) }, status: { eq: 'PENDING' } }, subscription)).toBe(true);
  });
});

it('a subscription is polled as a query with the same selection', () => {
  const query = asQuery(`subscription Changes($after: String) {
  changes(after: $after, kinds: [EVENT]) {
    cursor
    change { op event { id subscriptions(first: 1) { nodes { id } } } }
  }
}
fragment F on Event { id }`);
  expect(query.replace(/\s+/g, ' ')).toBe(
    'query Changes($after: String) { changes(after: $after, kinds: [EVENT], first: 50) { edges { cursor ' +
      'change: node { op event { id subscriptions(first: 1) { nodes { id } } } } } ' +
      'pageInfo { endCursor hasNextPage } } } fragment F on Event { id }',
  );
});
