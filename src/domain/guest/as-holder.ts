import type { Context, MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';

/**
 * A transaction in which a person with a mailed link acts as the holder of a subscription, with the rights that a
 * member has over their own. Nobody is signed in, so it must not leave the function that makes it.
 */
export function asHolder(
  tx: Transaction<Context>,
  { userId, organizationId }: { userId: string; organizationId: string },
): Transaction<MemberContext> {
  const viewer = { userId, sessionId: null, key: null };
  // who pays was decided when the transaction began
  return { ...tx, viewer, membership: { organizationId, role: 'member', makerId: null } };
}
