import sql, { empty, type Sql } from 'sql-template-tag';
import { batchLoader, type Context, type Loader, type MemberContext, withMembership } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import { piece, prepared } from '../../engine/statement.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { parseUuid } from '../../kernel/scalars.ts';
import type { Question } from '../form/question.ts';
import { tables } from '../tables/tables.ts';
import { visibleEvents } from './event.ts';

/** A version of the form of an event. */
export interface Form {
  version: number;
  questions: Question[];
}

/** The form of an event that has none yet. */
const noForm: Form = { version: 0, questions: [] };

/** A form as it is read with its event; null in both columns if the event has none. */
interface FormRow {
  id: string;
  version: number | null;
  questions: Question[] | null;
}

/**
 * The form of an event that the viewer may see.
 *
 * @param version null for the current one
 * @throws DomainError NOT_FOUND for an event that the viewer may not see, and for a version that does not exist
 */
export async function getForm(ctx: MemberContext, event: string, version: number | null): Promise<Form> {
  const uuid = parseUuid(event);
  const form = uuid ? await formLoader(ctx, version).load(uuid) : null;
  if (!form) throw new DomainError('NOT_FOUND');
  return form;
}

/** The version of a form that a client asks for. @throws DomainError INVALID_QUERY */
export function parseFormVersion(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const version = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (Number.isInteger(version) && (version as number) >= 0) return version as number;
  throw fault('INVALID_QUERY', '/version', 'Must be an integer of at least 0.');
}

/** The forms of events; null for an event that the viewer may not see, and for a version that does not exist. */
export function formLoader(ctx: Context, version: number | null): Loader<Form | null> {
  return batchLoader<Form | null>(ctx, `form ${version ?? 'now'}`, async (eventIds) => {
    const found = await findForms(ctx.db, eventIds, visibleEvents(withMembership(ctx), 't'), version);
    return eventIds.map((id) => found.get(id) ?? null);
  });
}

/**
 * The forms of the given events that meet a condition over the alias `t`, by event.
 *
 * @param version null for the current one
 */
export async function findForms(
  db: Database,
  eventIds: readonly string[],
  visible: Sql,
  version: number | null = null,
): Promise<Map<string, Form>> {
  // no version is greater than PostgreSQL's integers
  const wanted = version === null ? empty : sql`and f.version = ${Math.min(version, 2_147_483_647)}`;
  const rows = await db.rows<FormRow>(
    sql`select t.id, form.version, form.questions from event t left join lateral (
        select f.version, c.questions from form_version f join form_content c using (organization_id, hash)
        where f.event_id = t.id ${wanted} order by f.version desc limit 1
      ) form on true where t.id = any(${eventIds}::uuid[]) and ${visible}`,
    { prepared: true },
  );
  return new Map(
    rows.flatMap(({ id, version: found, questions }) => {
      if (found !== null && questions !== null) return [[id, { version: found, questions }]];
      return version === null || version === 0 ? [[id, noForm]] : [];
    }),
  );
}

const newestForm = prepared((at: { eventId: string }) =>
  tables
    .selectFrom('form_version as f')
    .innerJoin('form_content as c', (join) =>
      join.on(piece<boolean>(sql`(c.organization_id, c.hash) = (f.organization_id, f.hash)`)),
    )
    .select(['f.version', 'c.questions'])
    .where('f.event_id', '=', at.eventId)
    .orderBy('f.version', 'desc')
    .limit((eb) => eb.lit(1)),
);

/** The current form of an event. */
export async function currentForm(db: Database, eventId: string): Promise<Form> {
  return (await db.row(newestForm({ eventId }))) ?? noForm;
}
