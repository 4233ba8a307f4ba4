import sql, { type Sql } from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { faults, type Issue } from '../../kernel/errors.ts';
import { findFreeSlug, slugOf } from '../../kernel/slug.ts';
import { isSlug } from './event.input.ts';

type Tx = Transaction<MemberContext>;

/**
 * Locks the organization's slugs until the end of the transaction, so that a free slug stays free. Take this lock
 * before row locks (note 0035).
 */
export async function lockSlugs(tx: Tx): Promise<void> {
  const { organizationId } = tx.membership;
  await tx.db.row(sql`select pg_advisory_xact_lock(${slugLock(sql`${organizationId}::text`)})`);
}

/** The key of the advisory lock on an organization's slugs, from an expression for its id. */
export function slugLock(organizationId: Sql): Sql {
  return sql`hashtextextended('slugs ' || ${organizationId}, 0)`;
}

/**
 * Gives an event a slug that a client chose. If it is a former slug of another event, it leads to this one from now on.
 *
 * @param issues what else is in conflict
 * @throws DomainError CONFLICT, at `/slug` if another event has it
 */
export async function claimSlug(tx: Tx, slug: string, eventId: string, issues: readonly Issue[] = []): Promise<void> {
  const { organizationId } = tx.membership;
  const taken = await tx.db.row(sql`select from event
      where organization_id = ${organizationId}::uuid and slug = ${slug} and id <> ${eventId}::uuid`);
  const detail = 'Another event of the organization has this slug.';
  const conflicts = [...(taken ? [{ pointer: '/slug', code: 'CONFLICT' as const, detail }] : []), ...issues];
  if (conflicts.length > 0) throw faults('CONFLICT', conflicts);
  await tx.db.row(sql`delete from event_slug where organization_id = ${organizationId}::uuid and slug = ${slug}`);
}

/** Stores an event's former slug, so that it still leads to the event. */
export async function keepFormerSlug(tx: Tx, slug: string, eventId: string): Promise<void> {
  await tx.db.row(sql`insert into event_slug (organization_id, slug, event_id)
      values (${tx.membership.organizationId}::uuid, ${slug}, ${eventId}::uuid)`);
}

/** Makes a slug from a name that no event of the organization has or had. */
export async function makeSlug(tx: Tx, name: string): Promise<string> {
  const { organizationId } = tx.membership;
  return await findFreeSlug(slugOf(name, 'event', 'ascii'), async (candidates) => {
    const taken = await tx.db.rows<{ slug: string }>(sql`
        select slug from event where organization_id = ${organizationId}::uuid and slug = any(${candidates}::text[])
        union all
        select slug from event_slug where organization_id = ${organizationId}::uuid and slug = any(${candidates}::text[])`);
    const reserved = candidates.filter((slug) => !isSlug(slug));
    return new Set([...taken.map(({ slug }) => slug), ...reserved]);
  });
}
