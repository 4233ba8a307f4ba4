import { sql } from 'kysely';
import { z } from 'zod';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { command, forManagers } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { requireVersion } from '../../engine/version-guard.ts';
import { fault, faults, type Issue } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import { recordEventChange } from '../change/change-log.ts';
import { tables } from '../tables/tables.ts';
import { auditEvent, suppressLateReminder } from './create-event.ts';
import { type Event, type EventStatus, eventStatuses } from './event.entity.ts';
import { dateIssues, eventFields, type WrittenEvent, writtenNames } from './event.input.ts';
import { type EventRow, eventColumns } from './event.resource.ts';
import { describedTransitions, eventTransitions, statusWords } from './event.state.ts';
import { findEvents, writtenFields } from './event.ts';
import { postponeGathered, queueEventMails } from './event-mails.ts';
import { timeAndPlace } from './event-notice.ts';
import { claimSlug, keepFormerSlug, lockSlugs } from './event-slug.ts';
import { lockEvent } from './lock-event.ts';

const input = z
  .strictObject({
    ...eventFields,
    status: z
      .literal(Object.values(eventStatuses), 'Must be draft, active, cancelled or archived.')
      .meta({ description: `The new status. Possible changes: ${describedTransitions}.`, names: eventStatuses }),
    notify: z.boolean().meta({ description: 'Whether subscribers get a mail about the change; true if absent.' }),
  })
  .partial();

type Tx = Transaction<MemberContext>;

/**
 * Writes nothing if no value changes (reference/events.md#changing). CONFLICT at `/slug` if another event has the slug, and at
 * `/capacity` if the capacity is below the number of accepted subscriptions.
 */
export const updateEvent = command({
  name: 'updateEvent',
  description: 'Changes an event; absent fields keep their values. For managers and owners.',
  object: 'event',
  versioned: true,
  ...forManagers,
  input,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED', 'INVALID_TRANSITION', 'CONFLICT'],
  stored: async (ctx, { id }) => {
    const stored = await findStored(ctx, id, writtenNames);
    return stored && Object.fromEntries(writtenNames.map((name) => [name, stored[name]]));
  },
  check: async (ctx, sent, { id }) => {
    const needsOther = (sent.date_start === undefined) !== (sent.date_end === undefined);
    return dateIssues(sent, needsOther ? await findStored(ctx, id, ['date_start', 'date_end']) : undefined);
  },
  run: async (tx, fields, { id, guard }) => {
    if (fields.slug !== undefined) await lockSlugs(tx);
    const event = await lockEvent(tx, id);
    const issues = dateIssues(fields, writtenFields(event));
    if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
    requireVersion(guard, event.version);
    const before = writtenFields(event);
    const changed = writtenNames.filter((name) => fields[name] !== undefined && fields[name] !== before[name]);
    const changes = Object.fromEntries(changed.map((name) => [name, fields[name]]));
    if (changed.length > 0) await change(tx, event, changes, fields.notify ?? true);
    return pick(event, eventColumns);
  },
});

async function change(tx: Tx, event: Event, fields: Partial<WrittenEvent>, notify: boolean): Promise<void> {
  const { ARCHIVED, CANCELLED } = eventStatuses;
  const former = {
    status: event.status,
    wasCancelled: event.status === CANCELLED || (event.status === ARCHIVED && event.archived_cancelled),
    slug: event.slug,
    timeAndPlace: timeAndPlace(event),
  };
  if (fields.status !== undefined) await requireTransition(tx, event, fields.status);
  const conflicts = capacityIssues(event, fields);
  if (fields.slug !== undefined) await claimSlug(tx, fields.slug, event.id, conflicts);
  else if (conflicts.length > 0) throw faults('CONFLICT', conflicts);
  Object.assign(event, fields);
  if (fields.status !== undefined) event.archived_cancelled = fields.status === ARCHIVED && former.wasCancelled;
  event.version += 1;
  if (fields.status !== undefined || fields.date_start !== undefined) suppressLateReminder(event, tx.now);
  await tx.em.flush();
  if (fields.slug !== undefined) await keepFormerSlug(tx, former.slug, event.id);
  await auditEvent(tx, 'event.changed', event.id, { fields: Object.keys(fields) });
  const wasVisible = former.status !== eventStatuses.DRAFT;
  recordEventChange(tx, event, { kind: 'event', op: 'changed', actorId: tx.viewer.userId, wasVisible });
  if (fields.status !== undefined || fields.capacity !== undefined || fields.date_end !== undefined) {
    const moved = await tx.services.fillPlaces(tx, [event], { notify });
    // the trigger has updated the count
    if (moved.length > 0) await tx.em.refresh(event);
  }
  if (fields.status !== undefined) await postponeGathered(tx, event);
  if (notify) await queueEventMails(tx, event, former);
}

/** A smaller capacity takes no place from anyone who was accepted. */
function capacityIssues({ accepted_count: accepted }: Event, { capacity }: Partial<WrittenEvent>): Issue[] {
  if (capacity === undefined || capacity === null || capacity >= accepted) return [];
  const detail = `The event already has ${accepted} accepted subscriptions.`;
  return [{ pointer: '/capacity', code: 'CONFLICT', detail }];
}

/** For the checks before the lock, after which the command reads it again. */
async function findStored(ctx: MemberContext, id: string, columns: readonly string[]): Promise<EventRow | undefined> {
  const uuid = parseUuid(id);
  const [stored] = uuid ? await findEvents(ctx, [uuid], columns) : [];
  return stored;
}

async function requireTransition(tx: Tx, event: Event, status: EventStatus): Promise<void> {
  const former: EventStatus = event.status;
  const condition = eventTransitions[former][status];
  const allowed =
    condition === 'always' || (condition === 'without subscriptions' && !(await hasSubscriptions(tx, event.id)));
  if (allowed) return;
  const [from, to] = [statusWords[former], statusWords[status]];
  const reason = condition ? ' while the event has subscriptions' : '';
  throw fault('INVALID_TRANSITION', '/status', `The status cannot change from ${from} to ${to}${reason}.`);
}

const anySubscription = prepared((at: { eventId: string }) =>
  tables.selectFrom('subscription').select('id').where('event_id', '=', at.eventId).limit(sql.lit(1)),
);

export async function hasSubscriptions(tx: Tx, eventId: string): Promise<boolean> {
  return (await tx.db.row(anySubscription({ eventId }))) !== undefined;
}
