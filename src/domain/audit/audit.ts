import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { prepared, type Statement } from '#postgres-access';
import type { Context, MemberContext } from '../../engine/context.ts';
import type { ExportInput } from '../../engine/list/export.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { pick } from '../../kernel/objects.ts';
import type { Client } from '../../kernel/request.ts';
import { proven } from '../access/memberships.ts';
import { tables } from '../tables/tables.ts';
import type { AuditAction } from './audit-actions.ts';

export interface AuditInput {
  action: AuditAction;
  actorId?: string | null;
  /** A user, or a row of the organization (reference/audit-trail.md#audit-trail); the latter needs `organizationId`. */
  subjectId?: string | null;
  /** If absent, every organization that the subject belongs to now. */
  organizationId?: string;
  /** Never a password, token, cookie or link. */
  detail?: Record<string, unknown> | null;
}

/**
 * Writes an entry of the audit trail, in the transaction of `db` if there is one. An entry about a person, such as a sign-in,
 * names the person's only organization or, if there are several, none, and then belongs to all of them (note 0024).
 */
export async function recordAudit({ db, client }: Pick<Context, 'db' | 'client'>, entry: AuditInput): Promise<void> {
  await db.run(auditSql(client, entry, [entry.subjectId ?? null]));
}

/** Records an export in the audit trail, before the first row is sent. @throws DomainError RATE_LIMITED */
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

const members = proven.select(['m.id', 'm.organization_id', 'm.user_id']);

type Written = Record<'actor_id' | 'detail' | 'ip' | 'user_agent' | 'request_id', string | null> & {
  action: AuditAction;
};

/** When the statement runs: `now()` may be before a transaction that this one waited for. */
const writtenAt = sql<string>`clock_timestamp()`;

const insertEntry = prepared((at: Written & { id: string; organization_id: string; subject_id: string | null }) =>
  tables.insertInto('audit_entry').values({
    ...pick(at, ['id', 'organization_id', 'subject_id', 'actor_id', 'action', 'ip', 'user_agent', 'request_id']),
    detail: sql`${at.detail}::jsonb`,
    created_at: writtenAt,
  }),
);

/**
 * Marks the memberships of users in several organizations, once: owners read shared entries of marked members only. The
 * organization is computed even without a subject: the duration of a refused sign-in must not reveal whether an account exists.
 */
const insertPersonal = prepared(
  // a text: it marks in a common table expression, and aggregates for each subject
  (at: Written & { ids: readonly string[]; subjects: readonly (string | null)[] }) => sql<never>`with marked as (
      update membership mine set shares_trail = true
      where mine.user_id = any(${at.subjects}::uuid[]) and not mine.shares_trail
        and exists (select from ${members} other where other.user_id = mine.user_id and other.id <> mine.id)
    )
    insert into audit_entry
      (id, organization_id, person_id, actor_id, subject_id, action, detail, ip, user_agent, request_id, created_at)
    select line.id, place.organization_id, place.person_id, ${at.actor_id}::uuid, line.subject_id, ${at.action}, ${at.detail}::jsonb,
      ${at.ip}, ${at.user_agent}, ${at.request_id}, ${writtenAt}
    from unnest(${at.ids}::uuid[], ${at.subjects}::uuid[]) as line (id, subject_id) cross join lateral (
      select case when count(*) = 1 then (array_agg(m.organization_id))[1] end as organization_id,
        case when count(*) > 1 then line.subject_id end as person_id
      from ${members} m where m.user_id = line.subject_id
    ) place`,
);

/** @param client with null values if no request is the cause @param subjects one entry is written about each */
export function auditSql(
  client: { [Key in keyof Client]: Client[Key] | null },
  { action, actorId: actor_id = null, organizationId: organization_id, detail: given }: AuditInput,
  subjects: readonly (string | null)[],
): Statement {
  const told = client.operator ? { ...given, by: 'operator' } : given;
  const written: Written = {
    ...{ actor_id, action, detail: told ? JSON.stringify(told) : null },
    ...{ ip: client.ip, user_agent: client.userAgent, request_id: client.requestId },
  };
  const [subject_id = null] = subjects;
  if (organization_id !== undefined)
    return insertEntry({ ...written, id: randomUUIDv7(), organization_id, subject_id });
  return insertPersonal({ ...written, ids: subjects.map(() => randomUUIDv7()), subjects });
}
