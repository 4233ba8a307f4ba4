import type { PoolClient } from 'pg';
import type { Document, ImportRow, Report } from './document.ts';
import { type ImportSection, tables } from './tables.ts';

interface UniqueKey {
  section: ImportSection;
  column: string;
  key: (row: ImportRow) => unknown;
  /** The stored rows that have one of the keys ($1), as `id` and `key`. */
  stored?: string;
}

const uniqueKeys: readonly UniqueKey[] = [
  ...(['organizations', 'users', 'events', 'subscriptions', 'changes'] as const).map(
    (section): UniqueKey => ({ section, column: 'id', key: (row) => row.id }),
  ),
  {
    ...{ section: 'users', column: 'email', key: (row) => row.mailbox ?? undefined },
    stored: 'select id, mailbox as key from "user" where mailbox = any($1)',
  },
  {
    ...{ section: 'organizations', column: 'slug', key: (row) => row.slug },
    stored: 'select id, slug as key from organization where slug = any($1)',
  },
  {
    ...{ section: 'events', column: 'slug', key: (row) => pair(row.organization_id, row.slug) },
    stored: `select e.id, given.key from unnest($1::text[]) as given (key) join event e
      on (e.organization_id, e.slug) = (split_part(given.key, ' ', 1)::uuid, split_part(given.key, ' ', 2))`,
  },
  { section: 'memberships', column: 'user_id', key: (row) => pair(row.organization_id, row.user_id) },
  { section: 'forms', column: 'version', key: (row) => pair(row.event_id, row.version) },
  { section: 'former_slugs', column: 'slug', key: (row) => pair(row.organization_id, row.slug) },
];

const references: readonly [section: ImportSection, column: string, target: ImportSection][] = [
  ['memberships', 'organization_id', 'organizations'],
  ['memberships', 'user_id', 'users'],
  ['events', 'organization_id', 'organizations'],
  ['subscriptions', 'event_id', 'events'],
  ['subscriptions', 'user_id', 'users'],
  ['forms', 'event_id', 'events'],
  ['former_slugs', 'organization_id', 'organizations'],
  ['former_slugs', 'event_id', 'events'],
  ['changes', 'subscription_id', 'subscriptions'],
];

/** Checks rows against each other and against the database. */
export async function checkRelations(client: PoolClient, document: Document, report: Report): Promise<void> {
  for (const unique of uniqueKeys) checkUnique(document[unique.section], unique, report);
  for (const reference of references) await checkReferences(client, document, reference, report);
  await checkFormerSlugs(client, document, report);
  await checkNotDeleted(client, document, report);
  for (const unique of uniqueKeys) await checkTaken(client, document[unique.section], unique, report);
}

function checkUnique(rows: ImportRow[], { section, column, key: keyOf }: UniqueKey, report: Report): void {
  const first = new Map<unknown, number>();
  for (const [index, row] of rows.entries()) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else report(`/${section}/${index}/${column}`, `is the same as in /${section}/${earlier}`);
  }
}

/** Rows of an organization that is being deleted would be deleted with it. */
async function checkNotDeleted(client: PoolClient, { organizations }: Document, report: Report): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from organization where deleted_at is not null and id = any($1::uuid[])',
    [organizations.map(({ id }) => id)],
  );
  const deleted = new Set<unknown>(rows.map(({ id }) => id));
  for (const [index, { id }] of organizations.entries()) {
    if (deleted.has(id)) report(`/organizations/${index}/id`, 'is being deleted; it can come back within an hour');
  }
}

/** A former slug belongs to an event of its organization, and is not the slug of an event there. */
async function checkFormerSlugs(client: PoolClient, document: Document, report: Report): Promise<void> {
  const { events, former_slugs: rows } = document;
  if (rows.length === 0) return;
  const given = new Map(events.map((row) => [row.id, row]));
  const { rows: stored } = await client.query<{ id: string; organization_id: string; slug: string }>(
    `select id, organization_id, slug from event where id = any($1::uuid[])
      or (organization_id, slug) in (select * from unnest($2::uuid[], $3::text[]))`,
    [rows.map((row) => row.event_id), rows.map((row) => row.organization_id), rows.map((row) => row.slug)],
  );
  // as they will be: a row of the document replaces the stored one, and one without a slug keeps its own
  const slugs = new Map<unknown, string>(stored.map(({ id, slug }) => [id, slug]));
  const all = [
    ...events.map((row) => ({ slug: slugs.get(row.id), ...row })),
    ...stored.filter(({ id }) => !given.has(id)),
  ] as ImportRow[];
  const organizationOf = new Map(all.map((row) => [row.id, row.organization_id]));
  const taken = new Set(all.map((row) => pair(row.organization_id, row.slug)));
  for (const [index, row] of rows.entries()) {
    const organization = organizationOf.get(row.event_id);
    if (organization !== undefined && organization !== row.organization_id) {
      report(`/former_slugs/${index}/event_id`, 'is an event of another organization');
    }
    if (row.slug !== undefined && taken.has(pair(row.organization_id, row.slug))) {
      report(`/former_slugs/${index}/slug`, 'is the slug of an event');
    }
  }
}

async function checkReferences(
  client: PoolClient,
  document: Document,
  [section, column, target]: (typeof references)[number],
  report: Report,
): Promise<void> {
  const inFile = new Set(document[target].map((row) => row.id));
  const elsewhere = new Set(
    document[section].map((row) => row[column]).filter((id) => id !== undefined && !inFile.has(id)),
  );
  if (elsewhere.size === 0) return;
  const alive = target === 'organizations' ? 'and deleted_at is null' : '';
  const { rows } = await client.query<{ id: string }>(
    `select id from "${tables[target].table}" where id = any($1::uuid[]) ${alive}`,
    [[...elsewhere]],
  );
  for (const { id } of rows) elsewhere.delete(id);
  for (const [index, row] of document[section].entries()) {
    if (elsewhere.has(row[column])) {
      report(`/${section}/${index}/${column}`, `does not refer to any of the ${target} in the file or the database`);
    }
  }
}

/** Reports unique values of rows of the database that the document does not overwrite. */
async function checkTaken(
  client: PoolClient,
  rows: ImportRow[],
  { section, column, key, stored }: UniqueKey,
  report: Report,
): Promise<void> {
  const given = rows.map((row, index) => ({ id: row.id, key: key(row), index })).filter((row) => row.id && row.key);
  if (!stored || given.length === 0) return;
  const result = await client.query<{ id: string; key: string }>(stored, [given.map((row) => row.key)]);
  const holders = new Map<unknown, string>(result.rows.map((row) => [row.key, row.id]));
  const rewritten = new Set(given.map(({ id }) => id));
  for (const row of given) {
    const holder = holders.get(row.key);
    if (holder !== undefined && !rewritten.has(holder)) {
      report(`/${section}/${row.index}/${column}`, `is taken in the database, by ${holder}`);
    }
  }
}

function pair(first: unknown, second: unknown): string | undefined {
  return first === undefined || second === undefined ? undefined : `${first} ${second}`;
}
