import type { Transaction } from '../../engine/transaction.ts';
import type { OrganizationRole } from '../../kernel/request.ts';
import { Membership } from './membership.entity.ts';

/** The organization must be locked. An existing member keeps their role. */
export async function addMember(
  tx: Transaction,
  { role, ...pair }: { organization_id: string; user_id: string; role: OrganizationRole },
): Promise<'added' | 'was a member'> {
  if (await tx.em.findOne(Membership, pair)) return 'was a member';
  await tx.em.persist(tx.em.create(Membership, { ...pair, role })).flush();
  return 'added';
}
