import { z } from 'zod';
import { command, forManagers } from '../../engine/command.ts';
import { fault } from '../../kernel/errors.ts';
import { pick } from '../../kernel/objects.ts';
import { auditEvent, insertEvent } from './create-event.ts';
import { type Event, eventStatuses } from './event.entity.ts';
import { dateIssues, eventFields, givenSlug, initialStatus, isInYears, newSlugForm } from './event.input.ts';
import { eventRow, writtenFields } from './event.ts';
import { lockSlugs } from './event-slug.ts';
import { lockEvent } from './lock-event.ts';
import { copyForm } from './write-form.ts';

const slug = givenSlug.meta({ ...givenSlug.meta(), description: newSlugForm });
const input = z.strictObject({ ...eventFields, slug, status: initialStatus }).partial();

type Overrides = z.output<typeof input>;

/** If only one date is given, the copy lasts as long as the original (reference/events.md#copying). */
export const duplicateEvent = command({
  name: 'duplicateEvent',
  description:
    'Creates a draft as a copy of an event; the fields in the body replace those of the original. For managers and owners.',
  object: 'event',
  ...forManagers,
  input,
  errors: ['NOT_FOUND', 'CONFLICT'],
  check: async (_ctx, sent) => dateIssues(sent),
  run: async (tx, overrides, { id }) => {
    // before the lock on the event: a change of its slug takes both locks in this order
    await lockSlugs(tx);
    const original = await lockEvent(tx, id);
    const copy = await insertEvent(tx, {
      ...writtenFields(original),
      slug: undefined,
      status: eventStatuses.DRAFT,
      ...overrides,
      ...copyDates(original, overrides),
    });
    await copyForm(tx, original, copy);
    await auditEvent(tx, 'event.created', copy.id, { original: original.id });
    return await eventRow(tx, copy.id);
  },
});

function copyDates(original: Event, { date_start, date_end }: Overrides): { date_start: string; date_end: string } {
  const duration = Date.parse(original.date_end) - Date.parse(original.date_start);
  const shifted = (date: string, by: number, pointer: string) => {
    const moved = new Date(Date.parse(date) + by);
    if (isInYears(moved)) return moved.toISOString();
    throw fault(
      'VALIDATION_ERROR',
      pointer,
      'The other date would be out of range, since the duration stays the same.',
    );
  };
  if (date_start !== undefined)
    return { date_start, date_end: date_end ?? shifted(date_start, duration, '/date_start') };
  if (date_end !== undefined) return { date_start: shifted(date_end, -duration, '/date_end'), date_end };
  return pick(original, ['date_start', 'date_end']);
}
