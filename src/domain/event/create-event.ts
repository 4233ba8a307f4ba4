import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { command, forManagers } from '../../engine/command.ts';
import type { MemberContext } from '../../engine/context.ts';
import { answers, type Transaction } from '../../engine/transaction.ts';
import { pick } from '../../kernel/objects.ts';
import { requireStillManager } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { recordEventChange } from '../change/change-log.ts';
import { Event, eventStatuses } from './event.entity.ts';
import { dateIssues, newEventFields, type WrittenEvent } from './event.input.ts';
import { eventColumns } from './event.resource.ts';
import { claimSlug, lockSlugs, makeSlug } from './event-slug.ts';
import { reminderHours } from './reminder.ts';

const input = z.strictObject(newEventFields);

export type NewEvent = Omit<WrittenEvent, 'slug'> & { slug?: string | undefined };

/** Creates an event (reference/events.md#creating). CONFLICT at `/slug` if another event has it. */
export const createEvent = command({
  name: 'createEvent',
  description: 'Creates an event; for managers and owners.',
  ...forManagers,
  input,
  errors: ['CONFLICT'],
  // zod would skip a refinement of the object if a field has the wrong type
  check: async (_ctx, sent) => dateIssues(sent),
  run: async (tx, fields) => {
    const event = await insertEvent(tx, fields);
    await auditEvent(tx, 'event.created', event.id, {});
    return pick(event, eventColumns);
  },
});

/** Makes a slug from the name if none is given. */
export async function insertEvent(tx: Transaction<MemberContext>, fields: NewEvent): Promise<Event> {
  const id = randomUUIDv7();
  const locked = lockSlugs(tx);
  await answers(requireStillManager(tx), locked);
  if (fields.slug !== undefined) await claimSlug(tx, fields.slug, id);
  const event = tx.em.create(Event, {
    id,
    organization_id: tx.membership.organizationId,
    ...fields,
    slug: fields.slug ?? (await makeSlug(tx, fields.name)),
  });
  suppressLateReminder(event, tx.now);
  await tx.em.persist(event).flush();
  recordEventChange(tx, event, { kind: 'event', op: 'created', actorId: tx.viewer.userId });
  return event;
}

/** No reminder for an event that becomes active or moves when less than {@link reminderHours} remain. */
export function suppressLateReminder(event: Event, now: Date): void {
  if (event.status !== eventStatuses.ACTIVE) return;
  if (Date.parse(event.date_start) - now.getTime() < reminderHours * 3_600_000) event.reminded_start = event.date_start;
}

export async function auditEvent(
  tx: Transaction<MemberContext>,
  action: 'event.created' | 'event.changed' | 'event.deleted',
  id: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { organizationId } = tx.membership;
  const entry = { action, organizationId, actorId: tx.viewer.userId, subjectId: id };
  await recordAudit(tx, { ...entry, detail: { event: id, ...detail } });
}
