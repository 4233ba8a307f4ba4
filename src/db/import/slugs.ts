import type { PoolClient } from 'pg';
import { slugOf } from '../../domain/slug.ts';
import type { Row } from './document.ts';

/** Within what slugs are unique, and the statements that tell what the database has. */
interface Scope {
  fallback: string;
  scopeOf: (row: Row) => string;
  existing: string;
  taken: string;
}

const organizations: Scope = {
  fallback: 'organization',
  scopeOf: () => '',
  existing: 'select id from organization where id = any($1::uuid[])',
  taken: `select '' as scope, slug from organization where $1::text[] is not null and regexp_replace(slug, '-[0-9]+$', '') = any($2)`,
};

const events: Scope = {
  fallback: 'event',
  scopeOf: (row) => String(row.organization_id),
  existing: 'select id from event where id = any($1::uuid[])',
  taken: `select organization_id::text as scope, slug from event
    where organization_id = any($1::uuid[]) and regexp_replace(slug, '-[0-9]+$', '') = any($2)`,
};

/** Gives a slug to each organization that is new and has none. */
export function completeOrganizationSlugs(client: PoolClient, rows: Row[]): Promise<void> {
  return complete(client, rows, organizations);
}

/** Gives a slug to each event that is new and has none, unique within its organization. */
export function completeEventSlugs(client: PoolClient, rows: Row[]): Promise<void> {
  return complete(client, rows, events);
}

/**
 * Names the slug of each event that is there already and goes to another organization without being given one: it keeps
 * its own, which must then be free there.
 */
export async function keepEventSlugs(client: PoolClient, rows: Row[]): Promise<void> {
  const without = new Map(rows.filter((row) => row.slug === undefined && row.id).map((row) => [row.id, row]));
  if (without.size === 0) return;
  const found = await client.query<{ id: string; organization_id: string; slug: string }>(
    'select id, organization_id, slug from event where id = any($1::uuid[])',
    [[...without.keys()]],
  );
  for (const { id, organization_id: organizationId, slug } of found.rows) {
    const row = without.get(id);
    if (row && row.organization_id !== organizationId) row.slug = slug;
  }
}

async function complete(client: PoolClient, rows: Row[], scope: Scope): Promise<void> {
  const without = rows.filter((row) => row.slug === undefined);
  if (without.length === 0) return;
  // an existing row keeps the slug that it has
  const existing = await client.query<{ id: string }>(scope.existing, [without.map((row) => row.id)]);
  const kept = new Set<unknown>(existing.rows.map(({ id }) => id));
  const incomplete = without
    .filter((row) => !kept.has(row.id))
    .map((row) => ({ row, base: slugOf(String(row.name), scope.fallback) }));
  if (incomplete.length === 0) return;

  const taken = new Set(rows.filter((row) => row.slug !== undefined).map((row) => `${scope.scopeOf(row)} ${row.slug}`));
  const scopes = [...new Set(incomplete.map(({ row }) => scope.scopeOf(row)))];
  // a base that ends in a number itself, "summer-2026", is found by what stands before the number
  const bases = new Set(incomplete.flatMap(({ base }) => [base, base.replace(/-[0-9]+$/, '')]));
  const found = await client.query<{ scope: string; slug: string }>(scope.taken, [scopes, [...bases]]);
  for (const { scope: within, slug } of found.rows) taken.add(`${within} ${slug}`);

  // where the numbers of a base go on, so that many rows of one name cost one step each
  const next = new Map<string, number>();
  for (const { row, base } of incomplete) {
    const key = `${scope.scopeOf(row)} ${base}`;
    let slug = key;
    let number = next.get(key) ?? 2;
    for (; taken.has(slug); number += 1) slug = `${key}-${number}`;
    next.set(key, number);
    taken.add(slug);
    row.slug = slug.slice(key.length - base.length);
  }
}
