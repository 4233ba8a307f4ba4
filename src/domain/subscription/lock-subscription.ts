import type { Call } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/roles.ts';
import { parseUuid } from '../../kernel/uuid.ts';
import type { Event } from '../event/event.entity.ts';
import { lockEvent } from '../event/lock-event.ts';
import { Subscription } from './subscription.entity.ts';

interface LockOptions {
  /** Whether its answers are needed. */
  answers?: boolean;
  /** Events that the transaction has locked, by their ids: they are not read again. */
  locked?: ReadonlyMap<string, Event>;
}

/**
 * Loads a subscription that the viewer may see, with its event locked.
 *
 * @throws DomainError NOT_FOUND if it is unknown, not of the given event, or not visible to the viewer
 */
export async function lockSubscription(
  tx: Transaction<MemberContext>,
  { id, within }: Call,
  { answers = false, locked }: LockOptions = {},
): Promise<{ event: Event; subscription: Subscription }> {
  const uuid = parseUuid(id);
  const said = within === undefined ? undefined : parseUuid(within);
  const organization = tx.membership.organizationId;
  const loaded = uuid && said !== null && (await tx.em.findOne(Subscription, { id: uuid, event: { organization } }));
  if (!loaded || (said !== undefined && loaded.event.id !== said) || !mayHandle(tx, loaded)) {
    throw new DomainError('NOT_FOUND');
  }
  const event = locked?.get(loaded.event.id) ?? (await lockEvent(tx, loaded.event.id));
  // it may have changed before the lock was taken
  const subscription = await tx.em.refresh(loaded, { populate: answers ? ['answers'] : [] });
  if (!subscription) throw new DomainError('NOT_FOUND');
  return { event, subscription };
}

function mayHandle(tx: Transaction<MemberContext>, subscription: Subscription): boolean {
  return isManager(tx.membership) || subscription.user.id === tx.viewer.userId;
}
