import { findFreeSlug, slugOf } from '#input-values';
import { prepared } from '#postgres-access';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { faults, type Issue } from '../../kernel/errors.ts';
import { lockName } from '../tables/lock-row.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { Event } from './event.entity.ts';
import { isSlug } from './event.input.ts';
import { EventSlug } from './event-slug.table.ts';

type Tx = Transaction<MemberContext>;

/** Keeps a free slug of the organization free until the end of the transaction. Take this lock before row locks (note 0035). */
export async function lockSlugs(tx: Tx): Promise<void> {
  await lockName(tx.db, slugLock(tx.membership.organizationId));
}

export const slugLock = (organizationId: string) => `slugs ${organizationId}`;

/**
 * Claims a slug that a client chose. If it is a former slug of another event, it leads to this one from now on.
 * @param issues other conflicts
 * @throws DomainError CONFLICT, at `/slug` if another event has it
 */
export async function claimSlug(tx: Tx, slug: string, eventId: string, issues: readonly Issue[] = []): Promise<void> {
  const { organizationId } = tx.membership;
  const own = { organization_id: organizationId, slug };
  const taken = (await tx.em.count(Event, { ...own, id: { $ne: eventId } })) > 0;
  const detail = 'Another event of the organization has this slug.';
  const conflicts = [...(taken ? [{ pointer: '/slug', code: 'CONFLICT' as const, detail }] : []), ...issues];
  if (conflicts.length > 0) throw faults('CONFLICT', conflicts);
  await tx.em.nativeDelete(EventSlug, own);
}

export async function keepFormerSlug(tx: Tx, slug: string, eventId: string): Promise<void> {
  await tx.em.insert(EventSlug, { organization_id: tx.membership.organizationId, slug, event_id: eventId });
}

const takenAmong = prepared((at: { organizationId: string; slugs: readonly string[] }) => {
  const taken = (table: 'event' | 'event_slug') =>
    tables
      .selectFrom(table)
      .select('slug')
      .where('organization_id', '=', at.organizationId)
      .where('slug', '=', anyOf(at.slugs));
  return taken('event').unionAll(taken('event_slug'));
});

/** Makes a slug that no event of the organization has or had. */
export async function makeSlug(tx: Tx, name: string): Promise<string> {
  const { organizationId } = tx.membership;
  return await findFreeSlug(slugOf(name, 'event', 'ascii'), async (candidates) => {
    const taken = await tx.db.rows(takenAmong({ organizationId, slugs: candidates }));
    const reserved = candidates.filter((slug) => !isSlug(slug));
    return new Set([...taken.map(({ slug }) => slug), ...reserved]);
  });
}
