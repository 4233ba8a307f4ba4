import type { PoolClient } from 'pg';
import { slugLock } from '../../domain/event/event-slug.ts';
import type { Document } from './tables.ts';

/** Locks the rows that a document changes, in the common order of locks (note 0035); returns the ids of the affected events. */
export async function lockDocument(client: PoolClient, document: Document): Promise<string[]> {
  const { organizations, users, memberships, events, forms, former_slugs: slugs, subscriptions, changes } = document;
  const organizationIds = distinct([
    ...organizations.map(({ id }) => id),
    ...[...memberships, ...events, ...slugs].map(({ organization_id: id }) => id),
  ]);
  await client.query('select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name', [
    organizationIds.toSorted().map(slugLock),
  ]);
  await lockRows(client, 'user', distinct(users.map(({ id }) => id)), 'no key update');
  await lockRows(client, 'organization', organizationIds, 'no key update');
  const moved = await client.query<{ event_id: string }>(
    'select distinct event_id from subscription where id = any($1::uuid[])',
    [[...subscriptions.map(({ id }) => id), ...changes.map(({ subscription_id: id }) => id)]],
  );
  const eventIds = distinct([
    ...events.map(({ id }) => id),
    ...[...forms, ...slugs, ...subscriptions, ...moved.rows].map(({ event_id: id }) => id),
  ]);
  await lockRows(client, 'event', eventIds, 'update');
  return eventIds;
}

async function lockRows(client: PoolClient, table: string, ids: string[], strength: string): Promise<void> {
  await client.query(`select from "${table}" where id = any($1::uuid[]) order by id for ${strength}`, [ids]);
}

function distinct(ids: unknown[]): string[] {
  return [...new Set(ids.map(String))];
}
