import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUuid } from '#input-values';
import { eventResource } from '../../src/domain/event/event.resource.ts';
import { subscriptionResource } from '../../src/domain/subscription/subscription.resource.ts';
import { canonicalText } from '../../src/engine/list/condition.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import { graphqlDialect } from '../../src/schema/relay/dialect.ts';
import { filtersOf } from '../support/random-where.ts';

const graphql = graphqlDialect(parseUuid);
const id = '0199b5a0-7c3a-7000-8000-0123456789ab';
const rest = (where: unknown) => canonicalText(parseWhere(eventResource, where, restDialect));

function issues(where: unknown, resource = eventResource, dialect = restDialect): string[] {
  try {
    parseWhere(resource as typeof eventResource, where, dialect);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('INVALID_QUERY');
    return (error.issues ?? []).map((issue) => `${issue.pointer}: ${issue.detail}`);
  }
  return [];
}

const pointers = (where: unknown) => issues(where).map((each) => each.slice(0, each.indexOf(':')));

describe('where, its meaning', () => {
  it.each([
    [{ status: 1 }, { status: { $eq: 1 } }],
    [
      { status: 1, slug: 'a' },
      { slug: 'a', status: 1 },
    ],
    [{ status: { $in: [2, 1, 2] } }, { status: { $in: [1, 2] } }],
    [{ status: { $in: [1] } }, { status: 1 }],
    [{ $and: [{ status: 1 }, { slug: 'a' }] }, { slug: 'a', status: 1 }],
    [{ $and: [{ $and: [{ status: 1 }] }] }, { status: 1 }],
    [{ $or: [{ status: 1 }, { status: 2 }] }, { $or: [{ status: 2 }, { status: 1 }, { status: 2 }] }],
    [{ $not: { $not: { status: 1 } } }, { status: 1 }],
    [{ $not: { status: 1 } }, { status: { $ne: 1 } }],
    [
      { $not: { date_start: { $gt: '2026-01-01T00:00:00Z' } } },
      { date_start: { $lte: '2026-01-01T01:00:00.0+01:00' } },
    ],
    [{ $not: { $or: [{ status: 1 }, { slug: 'a' }] } }, { status: { $ne: 1 }, slug: { $ne: 'a' } }],
    [{ id: id.toUpperCase() }, { id }],
    [{ name: 'JAZZ' }, { name: 'jazz' }],
    [{}, {}],
  ])('%j is %j', (left, right) => {
    expect(rest(left)).toBe(rest(right));
  });

  it.each([
    [{ status: 1 }, { status: 2 }],
    [{ status: 1 }, { status: { $ne: 1 } }],
    [{ $or: [{ status: 1 }, { slug: 'a' }] }, { status: 1, slug: 'a' }],
    [{ capacity: { $gt: 5 } }, { $not: { capacity: { $lte: 5 } } }],
    [{ capacity: null }, { capacity: { $ne: null } }],
    [{ capacity: null }, { capacity: 0 }],
    [{ slug: 'null' }, { slug: 'a' }],
    [{}, { status: 1 }],
  ])('%j is not %j', (left, right) => {
    expect(rest(left)).not.toBe(rest(right));
  });

  it('is the same in GraphQL', () => {
    const where = {
      dateStart: { gte: '2026-01-01T00:00:00Z' },
      or: [{ status: { eq: 1 } }, { capacity: { eq: null } }],
      name: { contains: 'x' },
    };
    const same = {
      $or: [{ capacity: null }, { status: 1 }],
      name: 'x',
      date_start: { $gte: '2026-01-01T00:00:00.000Z' },
    };
    expect(canonicalText(parseWhere(eventResource, where, graphql))).toBe(rest(same));
  });

  it('does not depend on the order of keys, for any filter', () => {
    const leaf = fc.constantFrom<Record<string, unknown>>(
      { status: 1 },
      { slug: 'a' },
      { $not: { slug: 'a' }, status: 1 },
      { capacity: { $gt: 1, $lt: 9 } },
      { name: 'x' },
    );
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.toReversed().map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, reversed(item)]),
      );
    };
    fc.assert(
      fc.property(filtersOf(leaf), (where) => {
        expect(rest(reversed(where))).toBe(rest(where));
      }),
    );
  });
});

describe('where, its faults', () => {
  it.each([
    [null, '/where'],
    [[], '/where'],
    ['status', '/where'],
    [{ statuss: 1 }, '/where/statuss'],
    [{ organization_id: id }, '/where/organization_id'],
    [{ __proto__: null, constructor: 1 }, '/where/constructor'],
    [JSON.parse('{"__proto__": {"status": 1}}'), '/where/__proto__'],
    [{ 'a/b~c': 1 }, '/where/a~1b~0c'],
    [{ status: { $gt: 1 } }, '/where/status/$gt'],
    [{ status: { $like: 1 } }, '/where/status/$like'],
    [{ status: '1' }, '/where/status'],
    [{ status: 1.5 }, '/where/status'],
    [{ status: 2147483648 }, '/where/status'],
    [{ status: null }, '/where/status'],
    [{ status: true }, '/where/status'],
    [{ status: [] }, '/where/status'],
    [{ status: { $in: 1 } }, '/where/status/$in'],
    [{ status: { $in: [1, null] } }, '/where/status/$in/1'],
    [{ visibility: 'secret' }, '/where/visibility'],
    [{ id: { $gt: id } }, '/where/id/$gt'],
    [{ slug: 1 }, '/where/slug'],
    [{ name: { $eq: 'x' } }, '/where/name'],
    [{ name: null }, '/where/name'],
    [{ date_start: '2026-02-30T00:00:00Z' }, '/where/date_start'],
    [{ date_start: { $ne: '2026-01-01T00:00:00Z' } }, '/where/date_start/$ne'],
    [{ date_start: { $in: ['2026-01-01T00:00:00Z'] } }, '/where/date_start/$in'],
    [{ date_start: null }, '/where/date_start'],
    [{ $and: {} }, '/where/$and'],
    [{ $and: [] }, '/where/$and'],
    [{ $or: [{}] }, '/where/$or/0'],
    [{ $or: Array.from({ length: 51 }, () => ({ status: 1 })) }, '/where/$or'],
    [{ capacity: { $in: Array.from({ length: 101 }, (_, index) => index) } }, '/where/capacity/$in'],
    [{ name: 'x'.repeat(201) }, '/where/name'],
    [{ $or: [1] }, '/where/$or/0'],
    [{ $not: {} }, '/where/$not'],
    [{ $not: [{ status: 1 }] }, '/where/$not'],
    [{ $nor: [{ status: 1 }] }, '/where/$nor'],
    [{ phase: 'UPCOMING' }, '/where/phase'],
  ])('%j is refused at %s', (where, pointer) => {
    expect(pointers(where)).toEqual([pointer]);
  });

  it('name the nearest known name', () => {
    expect(issues({ statuss: 1 })[0]).toContain('`status`');
    expect(issues({ date_strat: 1 })[0]).toContain('`date_start`');
    expect(issues({ date_start: { $gtt: '2026-01-01T00:00:00Z' } })[0]).toContain('`$gt`');
    expect(issues({ $an: [] })[0]).toContain('`$and`');
  });

  it('are all reported', () => {
    expect(pointers({ statuss: 1, slug: 2, $or: [{ nam: 'x' }, { status: 'y' }] })).toEqual([
      '/where/statuss',
      '/where/slug',
      '/where/$or/0/nam',
      '/where/$or/1/status',
    ]);
  });

  it('include a sixth nested logical operator, while five are fine', () => {
    const nest = (depth: number): object => (depth === 0 ? { status: 1 } : { $not: nest(depth - 1) });
    expect(pointers(nest(5))).toEqual([]);
    expect(pointers(nest(6))).toEqual(['/where/$not/$not/$not/$not/$not/$not']);
  });

  it('include a fifty-first condition, while fifty are fine', () => {
    const many = (count: number) => ({
      $or: Array.from({ length: count / 2 }, () => ({ capacity: { $gt: 1, $lt: 9 } })),
    });
    expect(pointers(many(50))).toEqual([]);
    expect(pointers({ ...many(50), status: 1 })).toEqual(['/where/status']);
  });

  it('include more than 8 KB, and nesting that would exhaust a stack', () => {
    expect(pointers({ slug: 'x'.repeat(8192 - 11) })).toEqual([]);
    expect(issues({ slug: 'x'.repeat(8192) })[0]).toContain('8192 bytes');
    const deep = JSON.parse(`${'{"$not":'.repeat(12_000)}{"status":1}${'}'.repeat(12_000)}`);
    expect(issues(deep)[0]).toContain('8192 bytes');
    expect(issues(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))[0]).toContain('8192 bytes');
  });

  it('include NUL and lone surrogates, in values and in names', () => {
    for (const text of ['a\0b', '\ud800', 'x\udc00y']) {
      expect(pointers({ slug: text })).toEqual(['/where']);
      expect(pointers({ [text]: 1 })).toEqual(['/where']);
    }
  });

  it('leave pairs of surrogates alone', () => {
    expect(pointers({ name: '𝒳'.repeat(200) })).toEqual([]);
  });
});

it('where on a field that may be null takes null bare, by $eq and by $ne, and nowhere else', () => {
  const at = (where: unknown) => issues(where, subscriptionResource as never).map((each) => each.split(':')[0]);
  for (const value of [null, { $eq: null }, { $ne: null }]) expect(at({ checked_in_at: value })).toEqual([]);
  expect(at({ checked_in_at: { $gt: null } })).toEqual(['/where/checked_in_at/$gt']);
  expect(at({ checked_in_at: { $ne: '2026-01-01T00:00:00Z' } })).toEqual(['/where/checked_in_at/$ne']);
  expect(at({ created_at: { $ne: null } })).toEqual(['/where/created_at/$ne']);
});

describe('where in GraphQL', () => {
  const parse = (where: unknown) => canonicalText(parseWhere(eventResource, where, graphql));

  it('takes a field that is null for absent', () => {
    expect(parse({ status: null, slug: { eq: 'a' }, and: null, phase: null })).toBe(parse({ slug: { eq: 'a' } }));
    expect(parse(null)).toBe(parse({}));
  });

  it('takes {eq: null} for null, and refuses it if the field cannot be null', () => {
    expect(parse({ capacity: { eq: null } })).toBe(rest({ capacity: null }));
    expect(issues({ status: { eq: null } }, eventResource, graphql)[0]).toContain('/where/status/eq');
  });

  it('binds a cursor to the phase and not to the moment', () => {
    expect(parse({ phase: { eq: 'UPCOMING' } })).toBe(parse({ phase: { eq: 'UPCOMING' } }));
    expect(parse({ phase: { eq: 'UPCOMING' } })).not.toBe(parse({ not: { phase: { eq: 'UPCOMING' } } }));
  });

  it('refuses what has only null in it below the top, no operator, and a phase that is null', () => {
    const faults = [{ and: [{ status: null }] }, { name: {} }, { phase: {} }, { phase: { eq: null } }].map((where) =>
      issues(where, eventResource, graphql).map((each) => each.split(':')[0]),
    );
    expect(faults).toEqual([['/where/and/0'], ['/where/name'], ['/where/phase'], ['/where/phase/eq']]);
  });
});
