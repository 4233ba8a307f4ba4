import type { MemberContext } from '../../engine/context.ts';
import { findMembershipRole } from '../../engine/memberships.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/roles.ts';

/**
 * Checks that a manager still is one: the role may have been taken since the request was authorized, while it waited for a
 * lock. To be sent after the lock, so that it reads what was committed before; it takes no round trip of its own.
 *
 * @throws DomainError ORGANIZATION_FORBIDDEN, FORBIDDEN
 */
export async function requireStillManager({ db, viewer, membership }: Transaction<MemberContext>): Promise<void> {
  // what a member does needs no role that could be taken
  if (!isManager(membership)) return;
  const { organizationId } = membership;
  const role = await findMembershipRole(db, viewer.userId, organizationId);
  if (role === null) throw new DomainError('ORGANIZATION_FORBIDDEN');
  if (!isManager({ role })) throw new DomainError('FORBIDDEN');
}
