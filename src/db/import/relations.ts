import type { PoolClient } from 'pg';
import type { Document, ImportRow, Report } from './document.ts';
import type { ImportSection } from './tables.ts';

/** Checks the rows of the document against each other and against the database. */
export async function checkRelations(client: PoolClient, document: Document, report: Report): Promise<void> {
  for (const section of ['organizations', 'users', 'events', 'subscriptions', 'changes'] as const) {
    checkUnique(document[section], section, 'id', (row) => row.id, report);
  }
  checkUnique(document.users, 'users', 'email', (row) => row.mailbox ?? undefined, report);
  checkUnique(document.organizations, 'organizations', 'slug', (row) => row.slug, report);
  checkUnique(document.events, 'events', 'slug', (row) => pair(row.organization_id, row.slug), report);
  checkUnique(document.memberships, 'memberships', 'user_id', (row) => pair(row.organization_id, row.user_id), report);

  checkUnique(document.forms, 'forms', 'version', (row) => pair(row.event_id, row.version), report);
  checkUnique(document.former_slugs, 'former_slugs', 'slug', (row) => pair(row.organization_id, row.slug), report);

  await checkReferences(client, document, 'memberships', 'organization_id', 'organizations', report);
  await checkReferences(client, document, 'memberships', 'user_id', 'users', report);
  await checkReferences(client, document, 'events', 'organization_id', 'organizations', report);
  await checkReferences(client, document, 'subscriptions', 'event_id', 'events', report);
  await checkReferences(client, document, 'subscriptions', 'user_id', 'users', report);
  await checkReferences(client, document, 'forms', 'event_id', 'events', report);
  await checkReferences(client, document, 'former_slugs', 'organization_id', 'organizations', report);
  await checkReferences(client, document, 'former_slugs', 'event_id', 'events', report);
  await checkReferences(client, document, 'changes', 'subscription_id', 'subscriptions', report);
  await checkFormerSlugs(client, document, report);
  await checkNotDeleted(client, document, report);

  await checkTaken(client, document.users, 'users', 'email', report, {
    statement: `select u.id, given.key from "user" u join unnest($1::text[]) as given (key) on u.mailbox = given.key`,
    values: (rows) => [rows.map((row) => row.mailbox)],
    key: (row) => String(row.mailbox),
  });
  await checkTaken(client, document.organizations, 'organizations', 'slug', report, {
    statement: 'select id, slug as key from organization where slug = any($1)',
    values: (rows) => [rows.map((row) => row.slug)],
    key: (row) => String(row.slug),
  });
  await checkTaken(client, document.events, 'events', 'slug', report, {
    statement: `select e.id, e.organization_id || ' ' || e.slug as key from event e
      join unnest($1::uuid[], $2::text[]) as given (organization_id, slug) using (organization_id, slug)`,
    values: (rows) => [rows.map((row) => row.organization_id), rows.map((row) => row.slug)],
    key: (row) => `${row.organization_id} ${row.slug}`,
  });
}

function checkUnique(
  rows: ImportRow[],
  section: ImportSection,
  column: string,
  keyOf: (row: ImportRow) => unknown,
  report: Report,
): void {
  const first = new Map<unknown, number>();
  for (const [index, row] of rows.entries()) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else report(`/${section}/${index}/${column}`, `is the same as in /${section}/${earlier}`);
  }
}

/** What an import gave to an organization that is being deleted would be deleted with it. */
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

/** A former slug leads to an event of its organization, and is not the slug of an event there. */
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

const tableNames = {
  organizations: 'organization',
  users: 'user',
  events: 'event',
  subscriptions: 'subscription',
} as const;

async function checkReferences(
  client: PoolClient,
  document: Document,
  section: ImportSection,
  column: string,
  target: keyof typeof tableNames,
  report: Report,
): Promise<void> {
  const inFile = new Set(document[target].map((row) => row.id));
  const elsewhere = new Set(
    document[section].map((row) => row[column]).filter((id) => id !== undefined && !inFile.has(id)),
  );
  if (elsewhere.size === 0) return;
  const alive = target === 'organizations' ? 'and deleted_at is null' : '';
  const { rows } = await client.query<{ id: string }>(
    `select id from "${tableNames[target]}" where id = any($1::uuid[]) ${alive}`,
    [[...elsewhere]],
  );
  for (const { id } of rows) elsewhere.delete(id);
  if (elsewhere.size === 0) return;
  for (const [index, row] of document[section].entries()) {
    if (elsewhere.has(row[column])) {
      report(`/${section}/${index}/${column}`, `does not refer to any of the ${target} in the file or the database`);
    }
  }
}

interface TakenQuery {
  statement: string;
  values: (rows: ImportRow[]) => unknown[];
  key: (row: ImportRow) => string;
}

/**
 * Reports unique values that another row of the database has and keeps; a row that the document overwrites may change
 * its own.
 */
async function checkTaken(
  client: PoolClient,
  rows: ImportRow[],
  section: ImportSection,
  column: string,
  report: Report,
  query: TakenQuery,
): Promise<void> {
  const given = rows.map((row, index) => ({ row, index })).filter(({ row }) => row.id && row[column] !== undefined);
  if (given.length === 0) return;
  const result = await client.query<{ id: string; key: string }>(
    query.statement,
    query.values(given.map(({ row }) => row)),
  );
  const holders = new Map(result.rows.map(({ id, key }) => [key, id]));
  const rewritten = new Set(given.map(({ row }) => row.id));
  for (const { row, index } of given) {
    const holder = holders.get(query.key(row));
    if (holder !== undefined && !rewritten.has(holder)) {
      report(`/${section}/${index}/${column}`, `is taken in the database, by ${holder}`);
    }
  }
}

function pair(first: unknown, second: unknown): string | undefined {
  return first === undefined || second === undefined ? undefined : `${first} ${second}`;
}
