import { command, forManagers, noFields } from '../../engine/command.ts';
import { requireVersion } from '../../engine/version-guard.ts';
import { DomainError } from '../../kernel/errors.ts';
import { recordEventChange } from '../change/change-log.ts';
import { auditEvent } from './create-event.ts';
import { type Event, eventStatuses } from './event.entity.ts';
import { lockEvent } from './lock-event.ts';
import { hasSubscriptions } from './update-event.ts';

export const deleteEvent = command({
  name: 'deleteEvent',
  description: 'Deletes a draft without subscriptions; for managers and owners.',
  object: 'event',
  versioned: true,
  ...forManagers,
  input: noFields,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED', 'CONFLICT'],
  run: async (tx, _input, { id, guard }) => {
    const event = await lockEvent(tx, id);
    requireVersion(guard, event.version);
    requireDeletable(event, await hasSubscriptions(tx, event.id));
    const { id: deleted, name } = event;
    recordEventChange(tx, event, { kind: 'event', op: 'deleted', actorId: tx.viewer.userId });
    await tx.em.remove(event).flush();
    await auditEvent(tx, 'event.deleted', deleted, { name });
    return { id: deleted };
  },
});

/** @throws DomainError CONFLICT */
export function requireDeletable({ status }: Pick<Event, 'status'>, isSubscribed: boolean): void {
  if (status === eventStatuses.DRAFT && !isSubscribed) return;
  throw new DomainError('CONFLICT', { detail: 'Only a draft without subscriptions can be deleted.' });
}
