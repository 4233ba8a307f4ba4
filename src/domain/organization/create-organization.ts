import { randomBytes, randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { z } from 'zod';
import { command } from '../../engine/command.ts';
import type { Database } from '../../engine/database.ts';
import { provenMemberships } from '../../engine/memberships.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { displayName } from '../../kernel/input/text.ts';
import { slugOf } from '../../kernel/slug.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockViewer } from '../user/lock-user.ts';
import { addMember } from './add-member.ts';

/** The maximum number of organizations that one user may own. */
const maxOwned = 100;

/** Creates an organization owned by the viewer and returns its id. CONFLICT if the viewer already owns the maximum. */
export const createOrganization = command<'user', { name: string }, string>({
  access: 'user',
  input: z.strictObject({ name: displayName.meta({ description: 'Name, 1 to 200 characters.' }) }),
  errors: ['CONFLICT'],
  run: async (tx, { name }) => {
    const { userId } = tx.viewer;
    // serializes concurrent creations, so that each sees the others in its count; nobody owns anything once erased
    await lockViewer(tx);
    const owned = await tx.db.row<{ count: number }>(
      sql`select count(*)::int as count from (${provenMemberships}) m where user_id = ${userId}::uuid and role = 'owner'`,
    );
    if ((owned?.count ?? 0) >= maxOwned) {
      throw new DomainError('CONFLICT', { detail: `An account can own at most ${maxOwned} organizations.` });
    }
    tx.afterCommit(() => tx.services.access.forgetUser(userId));
    return await createOwnedOrganization(tx, userId, name);
  },
});

/** Inserts an organization with its owner and returns its id. */
export async function createOwnedOrganization(tx: Transaction, userId: string, name: string): Promise<string> {
  const organizationId = await insertOrganization(tx.db, name);
  await addMember(tx, { organization_id: organizationId, user_id: userId, role: 'owner' });
  const place = { organizationId, actorId: userId, subjectId: userId };
  await recordAudit(tx, { ...place, action: 'organization.created' });
  return organizationId;
}

/** Inserts an organization with a unique slug and returns its id. */
async function insertOrganization(db: Database, name: string): Promise<string> {
  const base = slugOf(name, 'organization');
  for (let suffix = ''; ; suffix = `-${randomBytes(4).toString('hex')}`) {
    const inserted = await db.row<{ id: string }>(sql`insert into organization (id, name, slug, signup, created_at)
        values (${randomUUIDv7()}, ${name}, ${base + suffix}, 'open', now())
        on conflict (slug) do nothing returning id`);
    if (inserted) return inserted.id;
  }
}
