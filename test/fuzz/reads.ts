import fc from 'fast-check';
import type { Where } from '../support/faces.ts';
import { lists } from '../support/lists.ts';
import { conditionsOf, filtersOf } from '../support/random-where.ts';
import { type Asking, type Batch, readers, seldom } from './batch.ts';
import { Question } from './question.ts';
import { anyReference } from './references.ts';

/** A list query in the words of REST, and how it is walked. */
export interface ReadCase {
  kind: 'read';
  asking: Asking;
  list: string;
  where: Where | null;
  sort: 1 | -1;
  /** Of each page, of which there are as many. */
  limits: number[];
  from: string | null;
  /** In place of the first page's cursor. */
  cursor: string | null;
  fields: number[] | null;
  include: boolean;
  /** Whether the query stands in a body. */
  posted: boolean;
  max: number | null;
}

const moment = fc
  .integer({ min: -4, max: 45 })
  .map((hours) => new Date(Date.parse('2026-06-01T10:00:00.000Z') + hours * 3_599_999).toISOString());
const times = fc.oneof(
  { weight: 8, arbitrary: moment },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['2026-03-01T00:00:05.000Z', '2026-03-01T01:00:05+01:00', '2026-01-01T00:00:04Z', '2127-05-04T10:00:00Z'],
      ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-06-01T10:00:00.0004Z'],
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('2026-02-30T00:00:00Z', '2026-06-01', 'now', '', '10000-01-01T00:00:00Z') },
);
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('jazz', 'É', 'é', '%', '_', '\\', 'a', ' 1', 'MÜLLER', 'person', 'event-3') },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u0000', '\ud800', 'x'.repeat(201), 'İ', 'ß', '🎷', '\u202e') },
);
const numbers = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(0, 10, 20, 30, 60) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 2_147_483_647, 2_147_483_648, -2_147_483_649, 1.5, 1e21) },
);
const comparands = { id: anyReference, text: texts, number: numbers, timestamp: times };
/** What no field takes. */
const spoiled = fc.constantFrom<Where>(
  { status: { $like: 1 } },
  { status: {} },
  { created_at: { $in: ['2026-06-01T10:00:00Z'] } },
  { nonsense: 1 },
  { description: 'x' },
  { organization_id: '@event:0' },
  { created_at: 5 },
  { id: { $gt: '@event:0' } },
  { id: true },
  { $or: [] },
  { $and: [{}] },
  { $not: {} },
  { constructor: 1 },
  { name: 5 },
  { name: { $eq: 'jazz' } },
  { capacity: '10' },
);

const filters = Object.fromEntries(
  Object.entries(lists).map(([name, { resource }]) => {
    const condition = conditionsOf(resource, comparands);
    const often = { weight: 40, arbitrary: condition };
    return [name, filtersOf(fc.oneof(often, { weight: 1, arbitrary: spoiled }))];
  }),
);
/** How often each is asked for, compared with the others; what is delivered depends on the time. */
const weights: Record<string, number> = {
  ...{ events: 6, subscriptions: 3, 'subscriptions of an event': 3, 'public events': 2, deliveries: 0 },
};
const named = Object.keys(lists).flatMap((name) => Array<string>(weights[name] ?? 1).fill(name));

export const reads: fc.Arbitrary<ReadCase> = fc.constantFrom(...named).chain((name) =>
  fc.record({
    kind: fc.constant('read' as const),
    asking: readers({ owner: 8, manager: 4, member: 6 }),
    list: fc.constant(name),
    where: fc.option(filters[name] as fc.Arbitrary<Where>),
    sort: fc.constantFrom(1 as const, -1 as const),
    limits: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
    from: seldom(times, 5),
    cursor: seldom(fc.constantFrom('x', 'AAAA', '💥', 'a'.repeat(5_000), '@twin', '@cut', '@other')),
    fields: fc.option(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), { freq: 3 }),
    include: fc.boolean(),
    posted: fc.boolean(),
    max: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 2 }),
  }),
);

/**
 * Asks both faces for the same pages and counts.
 *
 * @throws Difference if they differ
 */
export async function askRead(batch: Batch, read: ReadCase): Promise<void> {
  const question = new Question(batch, read);
  let token = await question.cursor();
  const [first = 50, ...others] = read.limits;
  let page = await question.page({ limit: first, token, back: false });
  await question.count(page);
  for (const limit of others) {
    if (!page?.next) break;
    token = page.next;
    const following = await question.page({ limit, token, back: false });
    // of a page that is shorter than it may be, the one before may be longer than it was
    if (following?.previous) await question.page({ limit: 5, token: following.previous, back: true });
    page = following;
  }
}
