import type { Context, MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';

/**
 * A transaction in which the holder of a subscription acts who came by a mailed link: with the rights of a member over
 * their own subscription. Nobody is signed in, so it must not leave the function that makes it.
 */
export function asHolder(
  tx: Transaction<Context>,
  { userId, organizationId }: { userId: string; organizationId: string },
): Transaction<MemberContext> {
  return { ...tx, viewer: { userId, sessionId: '' }, membership: { organizationId, role: 'member' } };
}
