import { randomUUIDv7 } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
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
  /** Where the entry belongs; without one, to every organization that the subject belongs to at this time. */
  organizationId?: string;
  /** Further facts; never a password, token, cookie or link. */
  detail?: Record<string, unknown> | null;
}

/**
 * Writes one line of the audit trail, in the transaction of `em` where there is one. What concerns a person in no one
 * organization, as a sign-in, is written once for each that the person belongs to: its owners then read one trail, in
 * one order, with what happened while the person belonged to them and with nothing of before or after.
 */
export async function recordAudit({ em, client }: Pick<Context, 'em' | 'client'>, entry: AuditInput): Promise<void> {
  const organizations =
    entry.organizationId === undefined ? await belongings(em, entry.subjectId) : [entry.organizationId];
  const places = organizations.length > 0 ? organizations : [null];
  const ids = places.map(() => randomUUIDv7());
  const detail = entry.detail ? JSON.stringify(entry.detail) : null;
  await rows(
    em,
    sql`insert into audit_entry
          (id, organization_id, actor_id, subject_id, action, detail, ip, user_agent, request_id, created_at)
        select place.id, place.organization_id, ${entry.actorId ?? null}::uuid, ${entry.subjectId ?? null}::uuid,
          ${entry.action}, ${detail}::jsonb, ${truncate(client.ip, 64)}, ${truncate(client.userAgent, 400)},
          ${truncate(client.requestId, 64)}, now()
        from unnest(${ids}::uuid[], ${places}::uuid[]) as place (id, organization_id)`,
  );
}

/** Asked for nobody as well: a refused sign-in must not tell by its time whether there is an account. */
async function belongings(em: EntityManager, userId: string | null | undefined): Promise<string[]> {
  const found = await rows<{ organization_id: string }>(
    em,
    sql`select organization_id from membership where user_id = ${userId ?? null}::uuid`,
  );
  return found.map((each) => each.organization_id);
}

/** Cuts a text that a client chose to what its column holds. */
export function truncate(text: string | null, length: number): string | null {
  return text === null ? null : text.slice(0, length).toWellFormed();
}
