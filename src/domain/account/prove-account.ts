import type { Transaction } from '../../engine/transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { addMember } from '../organization/add-member.ts';
import { createOwnedOrganization } from '../organization/create-organization.ts';
import { lockOrganization } from '../organization/lock.ts';
import { Membership } from '../organization/membership.entity.ts';
import { Organization } from '../organization/organization.entity.ts';
import { lockUser } from '../user/lock-user.ts';
import type { User } from '../user/user.entity.ts';
import type { UsedToken } from './one-time-token.ts';
import { PendingSignUp } from './pending-sign-up.entity.ts';

/**
 * Verifies the account of a mailed token, and joins or creates only the organization that the mail named. Other sign-ups
 * for the address are discarded. A guest without an account gets the name of the sign-up; set their password afterwards.
 */
export async function proveAccount(
  tx: Transaction,
  { user_id: userId, ...wish }: UsedToken,
  by: 'verification_mail' | 'reset_mail' | 'operator',
): Promise<void> {
  const user = await lockUser(tx, userId);
  if (user && user.verified_at === null) {
    user.verified_at = new Date().toISOString();
    if (wish.name !== null) user.name = wish.name;
    await tx.em.flush();
    await tx.em.nativeDelete(PendingSignUp, { user_id: userId });
    const actorId = by === 'operator' ? null : userId;
    await recordAudit(tx, { action: 'user.verified', actorId, subjectId: userId, detail: { by } });
  } else if (user && wish.name !== null && (await isGuest(tx, user))) user.name = wish.name;
  if (wish.organization_id !== null) await join(tx, userId, wish.organization_id);
  else if (user && wish.organization_name !== null) await createOwnedOrganization(tx, user, wish.organization_name);
}

/** A guest's only names are those of their subscriptions (note 0043). */
async function isGuest({ em }: Transaction, { id, password_hash: hash }: User): Promise<boolean> {
  return !hash && (await em.count(Membership, { user_id: id })) === 0;
}

async function join(tx: Transaction, userId: string, organizationId: string): Promise<void> {
  await lockOrganization(tx.db, organizationId);
  const organization = await tx.em.findOne(Organization, { id: organizationId });
  if (organization?.signup !== 'open') return;
  if ((await addMember(tx, { organization_id: organizationId, user_id: userId, role: 'member' })) !== 'added') return;
  const detail = { role: 'member', by: 'mail' };
  await recordAudit(tx, { action: 'member.joined', actorId: userId, subjectId: userId, organizationId, detail });
}
