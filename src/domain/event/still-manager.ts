import type { MemberContext } from '../../engine/context.ts';
import { findMembershipRole } from '../../engine/memberships.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/roles.ts';

/**
 * Checks that a manager still is one: the role may have been revoked while the request, authorized earlier, waited for
 * a lock. Send it right after the lock, so that it reads what was committed by then, without a further round trip.
 *
 * @throws DomainError ORGANIZATION_FORBIDDEN, FORBIDDEN
 */
export async function requireStillManager({ db, viewer, membership }: Transaction<MemberContext>): Promise<void> {
  // members act without a role that could be revoked
  if (!isManager(membership)) return;
  const { organizationId } = membership;
  const role = await findMembershipRole(db, viewer.userId, organizationId);
  if (role === null) throw new DomainError('ORGANIZATION_FORBIDDEN');
  if (!isManager({ role })) throw new DomainError('FORBIDDEN');
}
