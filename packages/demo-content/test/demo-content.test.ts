import { expect, test } from 'vitest';
import { demoAccounts, demoContent, uuidOf } from '../src/index.ts';
import { SeededRandom } from '../src/random.ts';

const now = new Date('2026-05-04T09:30:00Z');
const day = 86_400_000;

test('the content is the same each time, and its times move with the day', () => {
  const content = demoContent(now);
  expect(demoContent(now)).toEqual(content);
  const later = demoContent(new Date(now.getTime() + day));
  expect(later.members).toEqual(content.members);
  expect(later.events.harbour.map(({ id, name }) => [id, name])).toEqual(
    content.events.harbour.map(({ id, name }) => [id, name]),
  );
  // an evening keeps its hour when the clocks change
  for (const [index, { date_start }] of content.events.harbour.entries())
    expect(Math.round((Date.parse(later.events.harbour[index]?.date_start ?? '') - Date.parse(date_start)) / day)).toBe(
      1,
    );
});

test('every id and address occurs once, and what is referred to exists', () => {
  const { members, events, forms, journeys } = demoContent(now);
  const people = [...demoAccounts, ...members];
  const all = [...events.harbour, ...events.books];
  const subscriptions = journeys.map(({ subscription }) => subscription);
  const ids = [...people, ...all, ...subscriptions, ...journeys.flatMap(({ changes }) => changes)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(people.map(({ email }) => email)).size).toBe(people.length);
  const known = new Set(ids);
  expect(subscriptions.filter(({ event_id, user_id }) => !known.has(event_id) || !known.has(user_id))).toEqual([]);
  expect(forms.map(({ event }) => all.find(({ id }) => id === event)?.name)).toEqual([
    'Sourdough Workshop',
    'Mentoring Circle',
  ]);
});

test('addresses are those of plain letters, whatever the name', () => {
  for (const { email } of demoContent(now).members) expect(email).toMatch(/^[a-z]+-[a-z]+-\d+@demo\.example$/);
});

test('a seed always gives the same numbers, and a text the same UUID of version 7', () => {
  const random = new SeededRandom(1);
  const other = new SeededRandom(1);
  const numbers = Array.from({ length: 100 }, () => random.integer(3, 5));
  expect(Array.from({ length: 100 }, () => other.integer(3, 5))).toEqual(numbers);
  expect([...new Set(numbers)].sort()).toEqual([3, 4, 5]);
  expect([...random.shuffle([1, 2, 3])].sort()).toEqual([1, 2, 3]);
  expect(() => random.pick([])).toThrow('nothing to pick');
  expect(uuidOf('demo organization')).toBe('019b7739-16c4-713d-922e-37c3d4317409');
});
