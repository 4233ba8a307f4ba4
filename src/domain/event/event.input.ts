import { z } from 'zod';
import { line, longText, maxSlugLength, parseUuid, text, timestampInput, timeZone } from '#input-values';
import type { Issue } from '../../kernel/errors.ts';
import { type Event, eventRegistrations, eventStatuses, eventVisibilities } from './event.entity.ts';
import { initialStatuses } from './event.state.ts';

/** Path segments at the level of slugs. */
const reservedSlugs = new Set(['count', 'query', 'events', 'form', 'export', 'calendar', 'new']);
const maxCapacity = 1_000_000;
/** Years that an event may be in (reference/events.md#values); the technical limits are wider. */
const years = { first: 1900, last: 9999 };

/** Whether a path would read it as an operation or an id. */
export function isReserved(slug: string): boolean {
  return reservedSlugs.has(slug) || parseUuid(slug) !== null;
}

export function isSlug(value: string): boolean {
  return value.length <= maxSlugLength && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && !isReserved(value);
}

const slugForm = 'Name in links: `a-z`, `0-9` and single hyphens, at most 80 characters.';
export const newSlugForm = `${slugForm} Made from the name if absent.`;

/** Older and imported slugs may have other forms. */
export const givenSlug = text
  .refine(
    isSlug,
    `Must consist of a-z, 0-9 and single hyphens, have at most ${maxSlugLength} characters, and not be a reserved word or an id.`,
  )
  .meta({
    maxLength: maxSlugLength,
    description: slugForm,
  });

export function isInYears(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= years.first && year <= years.last;
}

const eventDate = timestampInput(isInYears, `Must be between the years ${years.first} and ${years.last}.`);

export const initialStatus = z
  .literal(initialStatuses, 'Must be draft or active.')
  .meta({ description: 'The status of the new event: draft or active.', names: eventStatuses });

/** Under REST names (reference/events.md#values). */
export const newEventFields = {
  name: line(200).meta({ description: 'Name, 1 to 200 characters.' }),
  slug: givenSlug.optional().meta({ description: newSlugForm }),
  description: longText(20_000)
    .nullable()
    .meta({ description: 'Description, up to 20,000 characters; null for none.' })
    .default(null),
  status: initialStatus.default(eventStatuses.DRAFT),
  date_start: eventDate.meta({ description: 'When the event starts.' }),
  date_end: eventDate.meta({ description: 'When the event ends; not before it starts.' }),
  timezone: timeZone.meta({ description: 'IANA time zone for display and calendars.' }).default('UTC'),
  location: line(500)
    .nullable()
    .meta({ description: 'Where the event takes place, 1 to 500 characters; null for none.' })
    .default(null),
  capacity: z
    .int('Must be an integer.')
    .min(0, 'Must not be negative.')
    .max(maxCapacity, `Must be at most ${maxCapacity}.`)
    .nullable()
    .meta({ description: 'The maximum number of accepted subscriptions, 0 to 1,000,000; null for unlimited.' })
    .default(null),
  visibility: z.enum(eventVisibilities).meta({ description: 'Who may see the event.' }).default('organization'),
  registration: z
    .enum(eventRegistrations)
    .meta({ description: 'Whether a new subscription is accepted, pending or refused.' })
    .default('open'),
  waiting_list: z
    .boolean()
    .meta({ description: 'Whether people can wait for a place when the event is full.' })
    .default(true),
};

type NewFields = typeof newEventFields;
type Unwrapped<Field> = Field extends z.ZodDefault<infer Inner> | z.ZodOptional<infer Inner> ? Inner : Field;

const unwrapped = Object.fromEntries(
  Object.entries(newEventFields).map(([name, field]) => [name, 'unwrap' in field ? field.unwrap() : field]),
) as { [Name in keyof NewFields]: Unwrapped<NewFields[Name]> };

const { status: _status, ...eventFields } = unwrapped;

/** Of an existing event; absent fields keep their values. */
export { eventFields };

export const writtenNames = [...(Object.keys(eventFields) as (keyof typeof eventFields)[]), 'status'] as const;
export type WrittenEvent = Pick<Event, (typeof writtenNames)[number]>;

interface Dates<Value> {
  date_start?: Value | undefined;
  date_end?: Value | undefined;
}

/**
 * The issue of an event that would end before it starts, at the date that was sent. An invalid date is another issue.
 * @param stored used for a date that was not sent
 */
export function dateIssues(sent: Dates<unknown>, stored: Dates<string> = {}): Issue[] {
  const [start, end] = (['date_start', 'date_end'] as const).map((name) =>
    sent[name] === undefined ? stored[name] : eventDate.safeParse(sent[name]).data,
  );
  if (start === undefined || end === undefined || end >= start) return [];
  const pointer = sent.date_end === undefined ? '/date_start' : '/date_end';
  return [{ pointer, code: 'VALIDATION_ERROR', detail: 'The event must not end before it starts.' }];
}
