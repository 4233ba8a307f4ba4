import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { ViewerContext } from '../context.ts';
import { row } from '../database.ts';
import { DomainError } from '../errors.ts';
import { displayName } from '../input/text.ts';
import { slugOf } from '../slug.ts';

export const createOrganizationInput = z.strictObject({ name: displayName });

/** How many organizations one user may own: each of them gets a line of the trail with every sign-in. */
const maxOwned = 100;

/**
 * Creates an organization whose owner is the viewer.
 *
 * @returns its id
 * @throws DomainError CONFLICT where the viewer owns very many already
 */
export async function createOrganization(
  ctx: ViewerContext,
  input: z.output<typeof createOrganizationInput>,
): Promise<string> {
  const { userId } = ctx.viewer;
  const id = await ctx.em.transactional(async (em) => {
    // several at once count one another
    await row(em, sql`select from "user" where id = ${userId}::uuid for no key update`);
    const owned = await row<{ count: number }>(
      em,
      sql`select count(*)::int as count from membership where user_id = ${userId}::uuid and role = 'owner'`,
    );
    if ((owned?.count ?? 0) >= maxOwned) {
      throw new DomainError('CONFLICT', { detail: `One account can own at most ${maxOwned} organizations.` });
    }
    const organizationId = await insertOrganization(em, input.name);
    await row(
      em,
      sql`insert into membership (id, organization_id, user_id, role, created_at)
        values (${randomUUIDv7()}, ${organizationId}, ${userId}, 'owner', now())`,
    );
    const place = { organizationId, actorId: userId, subjectId: userId };
    await recordAudit({ ...ctx, em }, { ...place, action: 'organization.created' });
    return organizationId;
  });
  ctx.services.access.forgetUser(userId);
  return id;
}

/** Writes an organization with a slug that no other has; in the transaction of `em`. Its id. */
export async function insertOrganization(em: EntityManager, name: string): Promise<string> {
  const base = slugOf(name, 'organization');
  for (let suffix = ''; ; suffix = `-${randomBytes(4).toString('hex')}`) {
    const inserted = await row<{ id: string }>(
      em,
      sql`insert into organization (id, name, slug, signup, created_at)
        values (${randomUUIDv7()}, ${name}, ${base + suffix}, 'open', now())
        on conflict (slug) do nothing returning id`,
    );
    if (inserted) return inserted.id;
  }
}
