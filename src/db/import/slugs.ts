import type { PoolClient } from 'pg';
import { slugOf } from '#input-values';
import type { Row } from '#table-import';
import { isReserved } from '../../domain/event/event.input.ts';

interface SlugScope {
  table: 'organization' | 'event';
  scopeOf: (row: Row) => string;
  /** Whether a row can get this slug only if the document gives it. */
  reserved: (slug: string) => boolean;
  /** Selects the slugs of scopes ($1) that begin with one of some bases ($2). */
  taken: string;
}

export const organizationSlugs: SlugScope = {
  table: 'organization',
  scopeOf: () => '',
  reserved: () => false,
  taken: `select '' as scope, slug from organization where $1::text[] is not null and regexp_replace(slug, '-[0-9]+$', '') = any($2)`,
};

/** No new event gets a slug that another event of its organization has or had. */
export const eventSlugs: SlugScope = {
  table: 'event',
  scopeOf: (row) => String(row.organization_id),
  reserved: isReserved,
  taken: `select organization_id::text as scope, slug from (
      select organization_id, slug from event union all select organization_id, slug from event_slug
    ) used where organization_id = any($1::uuid[]) and regexp_replace(slug, '-[0-9]+$', '') = any($2)`,
};

/** An event that moves to another organization without a given slug keeps its own, which must be free there. */
export async function keepEventSlugs(client: PoolClient, rows: Row[]): Promise<void> {
  const without = new Map(rows.filter((row) => row.slug === undefined && row.id).map((row) => [row.id, row]));
  if (without.size === 0) return;
  const result = await client.query<{ id: string; organization_id: string; slug: string }>(
    'select id, organization_id, slug from event where id = any($1::uuid[])',
    [[...without.keys()]],
  );
  for (const { id, organization_id: organizationId, slug } of result.rows) {
    const row = without.get(id);
    if (row && row.organization_id !== organizationId) row.slug = slug;
  }
}

/** Keeps slugs that the document changes as former slugs (reference/events.md#slugs). Must run before events are written. */
export async function keepFormerSlugs(client: PoolClient, rows: Row[]): Promise<void> {
  const given = rows.filter((row) => row.id && row.slug !== undefined);
  const values = ['id', 'organization_id', 'slug'].map((name) => given.map((row) => row[name]));
  const document = 'unnest($1::uuid[], $2::uuid[], $3::text[]) as given (id, organization_id, slug)';
  await client.query(
    `insert into event_slug (organization_id, slug, event_id)
      select e.organization_id, e.slug, e.id from event e join ${document} on given.id = e.id
      where e.organization_id = given.organization_id and e.slug <> given.slug
      on conflict (organization_id, slug) do update set event_id = excluded.event_id`,
    values,
  );
  for (const ended of [
    '(former.organization_id, former.slug) = (given.organization_id, given.slug)',
    // an event that moves to another organization
    'former.event_id = given.id and former.organization_id <> given.organization_id',
  ]) {
    await client.query(`delete from event_slug former using ${document} where ${ended}`, values);
  }
}

/** Gives a slug to each new row without one. */
export async function completeSlugs(client: PoolClient, rows: Row[], scope: SlugScope): Promise<void> {
  const without = rows.filter((row) => row.slug === undefined);
  if (without.length === 0) return;
  // an existing row keeps its slug
  const existing = await client.query<{ id: string }>(`select id from ${scope.table} where id = any($1::uuid[])`, [
    without.map((row) => row.id),
  ]);
  const kept = new Set<unknown>(existing.rows.map(({ id }) => id));
  const incomplete = without
    .filter((row) => !kept.has(row.id))
    .map((row) => ({ row, base: slugOf(String(row.name), scope.table) }));
  if (incomplete.length === 0) return;

  const taken = new Set(rows.filter((row) => row.slug !== undefined).map((row) => `${scope.scopeOf(row)} ${row.slug}`));
  const scopes = [...new Set(incomplete.map(({ row }) => scope.scopeOf(row)))];
  // "summer-2026" is looked up by the part before the number
  const bases = new Set(incomplete.flatMap(({ base }) => [base, base.replace(/-[0-9]+$/, '')]));
  const inUse = await client.query<{ scope: string; slug: string }>(scope.taken, [scopes, [...bases]]);
  for (const { scope: within, slug } of inUse.rows) taken.add(`${within} ${slug}`);

  // many rows with one name cost one step each
  const next = new Map<string, number>();
  for (const { row, base } of incomplete) {
    const key = `${scope.scopeOf(row)} ${base}`;
    if (scope.reserved(base)) taken.add(key);
    let slug = key;
    let number = next.get(key) ?? 2;
    for (; taken.has(slug); number += 1) slug = `${key}-${number}`;
    next.set(key, number);
    taken.add(slug);
    row.slug = slug.slice(key.length - base.length);
  }
}
