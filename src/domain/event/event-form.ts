import { type RawBuilder, sql } from 'kysely';
import { parseUuid } from '#input-values';
import { prepared } from '#postgres-access';
import { batchLoader, type Context, type Loader, type MemberContext, withMembership } from '../../engine/context.ts';
import type { Database } from '../../engine/database.ts';
import { DomainError, fault } from '../../kernel/errors.ts';
import { isManager, type OrganizationRole } from '../../kernel/request.ts';
import type { Question } from '../form/question.ts';
import { anyOf, tables } from '../tables/tables.ts';
import { visibleEvents } from './event.ts';

export interface Form {
  version: number;
  questions: Question[];
}

const noForm: Form = { version: 0, questions: [] };

/**
 * @param version null for the current one
 * @throws DomainError NOT_FOUND for an event that the viewer may not see, and for a version that does not exist
 */
export async function getForm(ctx: MemberContext, event: string, version: number | null): Promise<Form> {
  const uuid = parseUuid(event);
  const form = uuid ? await formLoader(ctx, version).load(uuid) : null;
  if (!form) throw new DomainError('NOT_FOUND');
  return form;
}

/** @throws DomainError INVALID_QUERY */
export function parseFormVersion(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const version = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (Number.isInteger(version) && (version as number) >= 0) return version as number;
  throw fault('INVALID_QUERY', '/version', 'Must be an integer of at least 0.');
}

interface FormsOf {
  ids: readonly string[];
  organizationId: string;
  /** Null for the current one. */
  version: number | null;
}

const versions = tables
  .selectFrom('form_version as f')
  .innerJoin('form_content as c', (join) =>
    join.onRef('c.organization_id', '=', 'f.organization_id').onRef('c.hash', '=', 'f.hash'),
  )
  .select(['f.version', 'c.questions'])
  .orderBy('f.version', 'desc')
  .limit(sql.lit(1));

/** The forms of the events `t` of an organization that meet a condition; both columns are null without a form. */
export const formsOf = (visible: (organizationId: string) => RawBuilder<boolean>) =>
  prepared((at: FormsOf) =>
    tables
      .selectFrom('event as t')
      .leftJoinLateral(
        versions
          .where('f.event_id', '=', sql.ref<string>('t.id'))
          .where(sql<boolean>`(${at.version}::int is null or f.version = ${at.version})`)
          .as('form'),
        (join) => join.onTrue(),
      )
      .select(['t.id', 'form.version', 'form.questions'])
      .where('t.id', '=', anyOf(at.ids))
      .where(visible(at.organizationId)),
  );

const formsFor = (role: OrganizationRole) =>
  formsOf((organizationId) => visibleEvents({ membership: { organizationId, role } }, 't'));
const [managersForms, membersForms] = [formsFor('manager'), formsFor('member')];

/** By event; null if the viewer may not see the event, and for a version that does not exist. */
export function formLoader(ctx: Context, version: number | null): Loader<Form | null> {
  return batchLoader<Form | null>(ctx, `form ${version ?? 'now'}`, async (ids) => {
    const { membership } = withMembership(ctx);
    const forms = isManager(membership) ? managersForms : membersForms;
    return await findForms(ctx.db, forms, { ids, organizationId: membership.organizationId, version });
  });
}

/** In the order of the ids; null as in {@link formLoader}. */
export async function findForms(
  db: Database,
  forms: ReturnType<typeof formsOf>,
  { ids, organizationId, version }: FormsOf,
): Promise<(Form | null)[]> {
  // no version is greater than PostgreSQL's integers
  const wanted = version && Math.min(version, 2_147_483_647);
  const rows = await db.rows(forms({ ids, organizationId, version: wanted }));
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const { version: of = null, questions = null } = found.get(id) ?? {};
    if (of !== null && questions !== null) return { version: of, questions };
    return found.has(id) && (version === null || version === 0) ? noForm : null;
  });
}

const newestForm = prepared((at: { eventId: string }) => versions.where('f.event_id', '=', at.eventId));

export async function currentForm(db: Database, eventId: string): Promise<Form> {
  return (await db.row(newestForm({ eventId }))) ?? noForm;
}
