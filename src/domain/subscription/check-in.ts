import { command, forManagers, noFields } from '../../engine/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Event, eventStatuses } from '../event/event.entity.ts';
import { lockSubscription } from './lock-subscription.ts';
import type { Subscription } from './subscription.entity.ts';
import { recordChange } from './subscription-history.ts';

export const checkIn = command({
  name: 'checkIn',
  description: 'Checks in an accepted subscription; for managers and owners.',
  object: 'subscription',
  ...forManagers,
  input: noFields,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'ALREADY_CHECKED_IN'],
  run: async (tx, _input, call) => {
    const { event, subscription } = await lockSubscription(tx, call, { populate: ['answers', 'attendee_name'] });
    requireCheckIn(event, subscription);
    const { status } = subscription;
    subscription.checked_in_at = new Date().toISOString();
    await recordChange(tx, { event, subscription }, { kind: 'check_in', from: status, to: status });
    return subscription;
  },
});

/** @throws DomainError ALREADY_CHECKED_IN, INVALID_TRANSITION */
export function requireCheckIn(
  event: Pick<Event, 'status'>,
  { status, checked_in_at: at }: Pick<Subscription, 'status' | 'checked_in_at'>,
): void {
  if (at !== null) throw new DomainError('ALREADY_CHECKED_IN', { detail: `Checked in at ${at}.` });
  if (status === 'accepted' && event.status === eventStatuses.ACTIVE) return;
  const detail = 'Only an accepted subscription to an active event can be checked in.';
  throw new DomainError('INVALID_TRANSITION', { detail });
}

/** Changes nothing if there is none. */
export const undoCheckIn = command({
  name: 'undoCheckIn',
  description: 'Undoes a check-in; for managers and owners.',
  object: 'subscription',
  ...forManagers,
  input: noFields,
  errors: ['NOT_FOUND'],
  run: async (tx, _input, call) => {
    const { event, subscription } = await lockSubscription(tx, call, { populate: ['answers', 'attendee_name'] });
    const { status, checked_in_at: at } = subscription;
    if (at !== null) {
      subscription.checked_in_at = null;
      await recordChange(tx, { event, subscription }, { kind: 'undo_check_in', from: status, to: status });
    }
    return subscription;
  },
});
