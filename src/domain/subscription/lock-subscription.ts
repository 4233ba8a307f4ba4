import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import type { Call } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isManager } from '../../kernel/request.ts';
import type { Event } from '../event/event.entity.ts';
import { lockEvent } from '../event/lock-event.ts';
import { tables } from '../tables/tables.ts';
import { Subscription } from './subscription.entity.ts';

interface LockOptions {
  /** Lazy fields to load. */
  populate?: readonly ('answers' | 'attendee_name')[];
  /** Events that the transaction has locked already, by id. */
  locked?: ReadonlyMap<string, Event>;
}

const find = prepared((at: { id: string; organizationId: string }) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .select(['s.id', 's.event_id', 's.user_id'])
    .where(({ and }) => and({ 's.id': at.id, 'e.organization_id': at.organizationId })),
);

/**
 * Loads a subscription with its event locked.
 * @throws DomainError NOT_FOUND if it is unknown, not of the given event, or not visible to the viewer
 */
export async function lockSubscription(
  tx: Transaction<MemberContext>,
  { id, within }: Call,
  { populate = [], locked }: LockOptions = {},
): Promise<{ event: Event; subscription: Subscription }> {
  const uuid = parseUuid(id);
  const eventId = within === undefined ? undefined : parseUuid(within);
  const { organizationId } = tx.membership;
  const found = uuid !== null && eventId !== null ? await tx.db.row(find({ id: uuid, organizationId })) : undefined;
  if (!found || (eventId !== undefined && found.event_id !== eventId)) throw new DomainError('NOT_FOUND');
  if (!isManager(tx.membership) && found.user_id !== tx.viewer.userId) throw new DomainError('NOT_FOUND');
  tx.concerns.add(found.user_id);
  const event = locked?.get(found.event_id) ?? (await lockEvent(tx, found.event_id));
  // read again: it may have changed before the lock
  const subscription = await tx.em.findOne(Subscription, { id: found.id }, { populate, refresh: true });
  if (!subscription) throw new DomainError('NOT_FOUND');
  return { event, subscription };
}
