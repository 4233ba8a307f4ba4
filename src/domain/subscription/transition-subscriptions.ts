import { z } from 'zod';
import { distinct, list, parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { type Call, command, forManagers } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { DomainError, type Issue } from '../../kernel/errors.ts';
import type { Event } from '../event/event.entity.ts';
import { lockEvent } from '../event/lock-event.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { lockSubscription } from './lock-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import { subscriptionStatuses } from './subscription.entity.ts';
import { subscriptionColumns } from './subscription.resource.ts';
import { findSubscriptions } from './subscription.ts';

export const maxIds = 100;

const input = z.strictObject({
  ids: list(
    z.string(),
    {
      min: { items: 1, message: 'Must name at least one subscription.' },
      max: { items: maxIds, message: `Must name at most ${maxIds} subscriptions.` },
    },
    distinct({ keyOf: (id) => parseUuid(id) ?? id, message: 'Must not repeat an earlier id.' }),
  ).meta({ noun: 'subscription', description: 'The ids of 1 to 100 different subscriptions.' }),
  status: z.enum(subscriptionStatuses).meta({ description: 'The new status.' }),
  notify: z.boolean().optional().meta({ description: 'Whether the holders get a mail; true if absent.' }),
});

/** Each independently, in the given order (reference/subscriptions.md#many-at-once). */
export const transitionSubscriptions = command({
  name: 'transitionSubscriptions',
  description:
    'Changes the status of up to 100 subscriptions of an event, each independently; for managers and owners.',
  ...forManagers,
  input,
  errors: ['NOT_FOUND'],
  run: async (tx, { ids, status, notify = true }, { id: eventId }) => {
    const locked = await lockEvents(tx, ids, eventId);
    const moved: string[] = [];
    const errors: Issue[] = [];
    for (const [index, id] of ids.entries()) {
      try {
        const { event, subscription } = await lockSubscription(tx, { id, within: eventId || undefined }, { locked });
        await moveSubscription(tx, event, subscription, { status, notify });
        moved.push(subscription.id);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.push({ pointer: `/ids/${index}`, code: error.code, detail: error.detail ?? error.message });
      }
    }
    const loaded = new Map((await findSubscriptions(tx, moved, subscriptionColumns)).map((each) => [each.id, each]));
    return { items: moved.flatMap((id) => loaded.get(id) ?? []), errors };
  },
});

const eventsOf = prepared((at: { ids: readonly string[]; organizationId: string }) =>
  tables
    .selectFrom('subscription as s')
    .innerJoin('event as e', 'e.id', 's.event_id')
    .select('e.id')
    .distinct()
    .where('s.id', '=', anyOf(at.ids))
    .where('e.organization_id', '=', at.organizationId)
    .orderBy('e.id'),
);

/** In the order of their ids (note 0035). */
async function lockEvents(
  tx: Transaction<MemberContext>,
  ids: readonly string[],
  eventId: Call['id'],
): Promise<Map<string, Event>> {
  const known = ids.map(parseUuid).filter((id) => id !== null);
  const { organizationId } = tx.membership;
  const events = eventId ? [{ id: eventId }] : await tx.db.rows(eventsOf({ ids: known, organizationId }));
  const locked = new Map<string, Event>();
  for (const { id } of events) {
    const event = await lockEvent(tx, id);
    locked.set(event.id, event);
  }
  return locked;
}
