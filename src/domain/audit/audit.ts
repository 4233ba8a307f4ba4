import { randomUUIDv7 } from 'node:crypto';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Context, MemberContext } from '../../engine/context.ts';
import type { ExportInput } from '../../engine/list/export.ts';
import { spend } from '../../kernel/limits/limits.ts';
import type { Client } from '../../kernel/request.ts';
import { provenMemberships } from '../access/memberships.ts';
import type { AuditAction } from './audit-actions.ts';

export interface AuditInput {
  action: AuditAction;
  /** The user who did it; null if nobody was signed in. */
  actorId?: string | null;
  /**
   * What it is about: a user, or a row of the organization such as an event, and then `organizationId` is needed
   * (interface/accounts.md#audit-trail).
   */
  subjectId?: string | null;
  /** The organization of the entry; if absent, every organization that the subject belongs to now. */
  organizationId?: string;
  /** Further details; never a password, token, cookie or link. */
  detail?: Record<string, unknown> | null;
}

/**
 * Writes an entry of the audit trail, in the transaction of `db` if there is one. If it concerns a person rather than
 * one organization, such as a sign-in, it is still a single entry: it names the person's only organization or, if there
 * are several, none, and then belongs to all of which the person is a member now (note 0024).
 */
export async function recordAudit({ db, client }: Pick<Context, 'db' | 'client'>, entry: AuditInput): Promise<void> {
  await db.run(auditSql(client, entry, [entry.subjectId ?? null]));
}

/**
 * Records the export of a whole list in the audit trail, before the first row is sent.
 *
 * @throws DomainError RATE_LIMITED
 */
export async function recordExport(
  ctx: MemberContext,
  action: Extract<AuditAction, `${string}.exported`>,
  { format }: ExportInput,
  event?: string,
): Promise<void> {
  const { organizationId } = ctx.membership;
  await spend(ctx, { rule: 'export', key: ctx.viewer.userId });
  const detail = { ...(event === undefined ? {} : { event }), format };
  await recordAudit(ctx, { action, actorId: ctx.viewer.userId, subjectId: event, organizationId, detail });
}

/**
 * The statement of {@link recordAudit}, for one entry about each of several subjects. The entry gets the time of the
 * statement, not of the transaction, which may have waited for the locks of one that began later.
 *
 * @param client with null values if no request is the cause
 */
export function auditSql(
  client: { [Key in keyof Client]: Client[Key] | null },
  entry: AuditInput,
  subjects: (string | null)[],
): Sql {
  const told = client.operator ? { ...entry.detail, by: 'operator' } : entry.detail;
  const detail = told ? JSON.stringify(told) : null;
  const columns = sql`insert into audit_entry
      (id, organization_id, person_id, actor_id, subject_id, action, detail, ip, user_agent, request_id, created_at)`;
  const by = sql`${entry.action}, ${detail}::jsonb, ${truncate(client.ip, 64)}, ${truncate(client.userAgent, 400)},
      ${truncate(client.requestId, 64)}, clock_timestamp()`;
  const [subject, ...further] = subjects;
  // the plan of one over arrays is not kept (note 0040)
  if (entry.organizationId !== undefined && subject !== undefined && further.length === 0) {
    return sql`${columns} values (${randomUUIDv7()}::uuid, ${entry.organizationId}::uuid, null, ${entry.actorId ?? null}::uuid,
      ${subject}::uuid, ${by})`;
  }
  const ids = subjects.map(() => randomUUIDv7());
  const place = entry.organizationId === undefined ? placeOfSubject : placeNamed(entry.organizationId);
  const marking = entry.organizationId === undefined ? sql`with marked as (${markShared(subjects)})` : empty;
  return sql`${marking}
    ${columns} select line.id, place.organization_id, place.person_id, ${entry.actorId ?? null}::uuid, line.subject_id, ${by}
    from unnest(${ids}::uuid[], ${subjects}::uuid[]) as line (id, subject_id) cross join lateral (${place}) place`;
}

const placeNamed = (organizationId: string) =>
  sql`select ${organizationId}::uuid as organization_id, null::uuid as person_id`;

/** Evaluated even without a subject: the duration of a refused sign-in must not reveal whether an account exists. */
const placeOfSubject = sql`select case when count(*) = 1 then (array_agg(m.organization_id))[1] end as organization_id,
    case when count(*) > 1 then line.subject_id end as person_id
  from (${provenMemberships}) m where m.user_id = line.subject_id`;

/** Marks the memberships of users in several organizations, once: owners read shared entries of marked members only. */
function markShared(subjects: (string | null)[]): Sql {
  return sql`update membership mine set shares_trail = true
    where mine.user_id = any(${subjects}::uuid[]) and not mine.shares_trail
      and exists (select from (${provenMemberships}) other where other.user_id = mine.user_id and other.id <> mine.id)`;
}

/** Truncates a client's text to the size of its column. */
export function truncate(text: string | null, length: number): string | null {
  return text === null ? null : text.slice(0, length).toWellFormed();
}
