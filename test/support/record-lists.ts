import { expect } from 'vitest';
import { type Context, Loaders, type MemberContext } from '../../src/engine/context.ts';
import type { Database } from '../../src/engine/database.ts';
import { type Condition, everything } from '../../src/engine/list/condition.ts';
import type { ListInput, Paging } from '../../src/engine/list/list.ts';
import type { ListResource } from '../../src/engine/list/resource.ts';
import { parseWhere } from '../../src/engine/list/where.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { type OrganizationRole, organizationRoles } from '../../src/kernel/request.ts';
import { restDialect } from '../../src/rest/server/list-query.ts';
import type { Where } from './faces.ts';

/** Ids of rows that nobody looks for. */
export const id = '0199b5a0-7c3a-7000-8000-00000000000a';
export const other = '0199b5a0-7c3a-7000-8000-00000000000b';
export const moment = '2026-01-01T00:00:00.000Z';
const cursor = JSON.stringify({ time: Date.parse(moment), id });

export const firstPage = { by: 'token', token: null, sort: 1, size: 50 } satisfies Paging;
export const relay = {
  by: 'bounds',
  anchor: 'start',
  direction: 1,
  size: 50,
  after: null,
  before: null,
} satisfies Paging;
export const pages: [string, Paging][] = [
  ['first page', firstPage],
  ['page after a cursor', { ...firstPage, token: cursor }],
  ['page before a cursor', { ...relay, anchor: 'end', before: cursor }],
];
export const furtherPages: typeof pages = [
  ['first page, descending', { ...firstPage, sort: -1 }],
  ['page after a cursor, descending', { ...firstPage, token: cursor, sort: -1 }],
  ['last page', { ...relay, anchor: 'end' }],
  ['page between two cursors', { ...relay, after: cursor, before: cursor }],
];

export type Run = (ctx: MemberContext) => Promise<unknown>;
type Roles = readonly (OrganizationRole | null)[];

export interface Recorded {
  title: string;
  role: OrganizationRole | null;
  text: string;
  values: unknown[];
  /** Whether connections may keep its plan. */
  kept: boolean;
}

export const recorded: Recorded[] = [];

export const labelOf = (filter: Where) => JSON.stringify(filter).replaceAll(id, '…');

const anyIds = {
  viewer: '0199b5a0-7c3a-7000-8000-000000000001',
  session: '0199b5a0-7c3a-7000-8000-000000000002',
  organization: '0199b5a0-7c3a-7000-8000-000000000003',
};

/** A context that records each statement in place of running it; nothing is found, and a cursor is a position as JSON. */
function recordingContext(role: OrganizationRole | null) {
  const statements: Pick<Recorded, 'text' | 'values' | 'kept'>[] = [];
  const rows: Database['rows'] = async (statement, { prepared } = {}) => {
    const { sql: text, parameters, name } = statement;
    statements.push({ text, values: [...parameters], kept: name !== undefined || prepared === true });
    return [];
  };
  const row: Database['row'] = async (statement, options) => (await rows(statement, options))[0];
  const db = { rows, row };
  const ctx = {
    db,
    services: { cursors: { bind: () => ({ open: (token: string) => JSON.parse(token), seal: () => '' }) } },
    viewer: { userId: anyIds.viewer, sessionId: anyIds.session },
    membership: role && { organizationId: anyIds.organization, role },
    now: new Date('2026-01-01T00:00:00Z'),
  } as unknown as MemberContext;
  return { ctx: Object.assign(ctx, { loaders: new Loaders() }), statements };
}

/** Adds what a use case runs as each role; nothing for whom it refuses. */
export async function record(title: string, run: Run, roles: Roles = organizationRoles): Promise<void> {
  const before = recorded.length;
  for (const role of roles) {
    const { ctx, statements } = recordingContext(role);
    try {
      await run(ctx);
    } catch (error) {
      // refused before the statement, or nothing found by it
      if (!(error instanceof DomainError)) throw error;
    }
    for (const { text, values, kept } of statements) {
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      expect(new Set(numbers).size).toBe(values.length);
      expect(values).not.toContain(undefined);
      recorded.push({ title, role, text, values, kept });
    }
  }
  expect(recorded.length, title).toBeGreaterThan(before);
}

interface List {
  name: string;
  resource: ListResource;
  list(ctx: MemberContext, input: ListInput): Promise<unknown>;
  count(ctx: MemberContext, where: Condition, max?: number): Promise<unknown>;
  find?(ctx: MemberContext, ids: readonly string[], columns: readonly string[]): Promise<unknown>;
  /** As REST writes them. */
  filters: Where[];
  /** A filter by which pages after a cursor and counts are shown, too. */
  typical: Where;
}

/** Records the pages and counts of a list. */
export async function recordList({ name, resource, list, count, find, filters, typical }: List): Promise<void> {
  const columns = Object.keys(resource.fields);
  const narrow = parseWhere(resource, typical, restDialect);
  const label = labelOf(typical);
  await record(`${name}, first page with every field`, (ctx) =>
    list(ctx, { where: everything, columns, paging: firstPage }),
  );
  for (const [title, paging] of pages) {
    await record(`${name}, ${title}`, (ctx) => list(ctx, { where: everything, columns: ['id'], paging }));
  }
  for (const filter of filters) {
    const where = parseWhere(resource, filter, restDialect);
    await record(`${name}, first page by ${labelOf(filter)}`, (ctx) =>
      list(ctx, { where, columns: ['id'], paging: firstPage }),
    );
  }
  await record(`${name}, page after a cursor by ${label}`, (ctx) =>
    list(ctx, { where: narrow, columns: ['id'], paging: { ...firstPage, token: cursor } }),
  );
  for (const [title, max] of [
    ['count', undefined],
    ['count up to 100', 100],
  ] as const) {
    await record(`${name}, ${title}`, (ctx) => count(ctx, everything, max));
    await record(`${name}, ${title} by ${label}`, (ctx) => count(ctx, narrow, max));
  }
  if (find) await record(`${name}, by ids`, (ctx) => find(ctx, [id, other], columns));
}

/** Loads rows by their ids, as nodes of GraphQL are. */
export const byIds =
  (noun: { loader(ctx: Context, columns: readonly string[]): { loadMany(ids: string[]): Promise<unknown> } }) =>
  (ctx: MemberContext, ids: readonly string[], columns: readonly string[]) =>
    noun.loader(ctx, columns).loadMany([...ids]);
