import sql, { type Sql } from 'sql-template-tag';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from './database.ts';

/**
 * A condition on the organization of a job: not one that is being moved, whose rows cannot be written (note 0086). Jobs pass it over
 * until its move ends; the other organizations go on.
 */
export function notMoving(organizationId: Sql): Sql {
  return sql`not exists (select from organization_move m where m.id = ${organizationId})`;
}

/**
 * Names the place of an organization that is not found here, if it was moved to another service.
 *
 * @throws DomainError ORGANIZATION_MOVED
 */
export async function requireNotMoved(db: Database, organizationId: string): Promise<void> {
  await requireNoPlace(db, sql`id = ${organizationId}::uuid`);
}

/** Like {@link requireNotMoved}, by the slug of its pages. @throws DomainError ORGANIZATION_MOVED */
export async function requireSlugNotMoved(db: Database, slug: string): Promise<void> {
  await requireNoPlace(db, sql`slug = ${slug} order by moved_at desc limit 1`);
}

/** Like {@link requireNotMoved}, by the hash of a secret that is not known here. @throws DomainError ORGANIZATION_MOVED */
export async function requireSecretNotMoved(db: Database, hash: string): Promise<void> {
  await requireNoPlace(db, sql`id = (select place_id from moved_secret where hash = ${hash})`);
}

async function requireNoPlace(db: Database, condition: Sql): Promise<void> {
  const place = await db.row<{ address: string }>(sql`select address from organization_place where ${condition}`);
  if (!place) return;
  const { address } = place;
  throw new DomainError('ORGANIZATION_MOVED', { detail: `The organization is at ${address} now.`, movedTo: address });
}
