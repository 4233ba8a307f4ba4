import type { PoolClient } from 'pg';
import type { Document, ImportRow } from './document.ts';

/** Replaces unique values that the document changes with temporary ones, so that rows can swap them. */
export async function vacate(client: PoolClient, { organizations, users, events }: Document): Promise<void> {
  await client.query(
    `update organization as old set slug = old.id::text from unnest($1::uuid[], $2::text[]) as given (id, slug)
      where old.id = given.id and old.slug <> given.slug`,
    columns(organizations, ['id', 'slug']),
  );
  await client.query(
    `update "user" as old set mailbox = old.id::text from unnest($1::uuid[], $2::text[]) as given (id, mailbox)
      where old.id = given.id and old.mailbox <> given.mailbox`,
    columns(users, ['id', 'mailbox']),
  );
  await client.query(
    `update event as old set slug = old.id::text from unnest($1::uuid[], $2::uuid[], $3::text[]) as given (id, organization_id, slug)
      where old.id = given.id and (old.organization_id, old.slug) <> (given.organization_id, given.slug)`,
    columns(events, ['id', 'organization_id', 'slug']),
  );
}

/** The values, column by column, of the rows that have all of them. */
function columns(rows: ImportRow[], names: string[]): unknown[][] {
  const given = rows.filter((row) => names.every((name) => row[name] !== undefined));
  return names.map((name) => given.map((row) => row[name]));
}
