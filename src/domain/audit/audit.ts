import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Context } from '../context.ts';
import { rows } from '../database.ts';

export interface AuditInput {
  /** What was done, as `noun.past_participle`: `session.started`. */
  action: string;
  /** Who did it; null where nobody was signed in. */
  actorId?: string | null;
  /** Whose account, session or membership it concerns. */
  subjectId?: string | null;
  /** Where the entry belongs; null for what concerns a person in no one organization. */
  organizationId?: string | null;
  /** Further facts; never a password, token, cookie or link. */
  detail?: Record<string, unknown> | null;
}

/** Writes one line of the audit trail, in the transaction of `em` where there is one. */
export async function recordAudit({ em, client }: Pick<Context, 'em' | 'client'>, entry: AuditInput): Promise<void> {
  const detail = entry.detail ? JSON.stringify(entry.detail) : null;
  await rows(
    em,
    sql`insert into audit_entry
          (id, organization_id, actor_id, subject_id, action, detail, ip, user_agent, request_id, created_at)
        values (${randomUUIDv7()}, ${entry.organizationId ?? null}, ${entry.actorId ?? null}, ${entry.subjectId ?? null},
          ${entry.action}, ${detail}::jsonb, ${truncate(client.ip, 64)}, ${truncate(client.userAgent, 400)},
          ${truncate(client.requestId, 64)}, now())`,
  );
}

/** Cuts a text that a client chose to what its column holds. */
export function truncate(text: string | null, length: number): string | null {
  return text === null ? null : text.slice(0, length).toWellFormed();
}
