import type { PoolClient } from 'pg';
import type { Report, Row } from '#table-import';
import type { Document } from './tables.ts';

/** Rows of an organization that is being deleted would be deleted with it. */
export async function checkNotDeleted(client: PoolClient, { organizations }: Document, report: Report): Promise<void> {
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
export async function checkFormerSlugs(client: PoolClient, document: Document, report: Report): Promise<void> {
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
  ] as Row[];
  const organizationOf = new Map(all.map((row) => [row.id, row.organization_id]));
  const taken = new Set(all.map((row) => `${row.organization_id} ${row.slug}`));
  for (const [index, row] of rows.entries()) {
    const organization = organizationOf.get(row.event_id);
    if (organization !== undefined && organization !== row.organization_id) {
      report(`/former_slugs/${index}/event_id`, 'is an event of another organization');
    }
    if (taken.has(`${row.organization_id} ${row.slug}`)) {
      report(`/former_slugs/${index}/slug`, 'is the slug of an event');
    }
  }
}
