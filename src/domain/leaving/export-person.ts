import { sql } from 'kysely';
import type { Delivery } from '#slow-readers';
import { type ViewerContext, withPerson } from '../../engine/context.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { everyMember } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { tables } from '../tables/tables.ts';
import { iso, type Section, times, writeDocument } from './export-document.ts';

/**
 * Passes everything stored about the viewer to `write`, as JSON from one snapshot (reference/leaving.md#exporting-ones-data).
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function exportPerson(
  given: ViewerContext,
  write: (pieces: AsyncIterable<string>, delivery: Delivery) => Promise<void>,
): Promise<void> {
  const ctx = withPerson(given);
  const { userId } = ctx.viewer;
  await spend(ctx, { rule: 'person_export', key: userId });
  await ctx.services.snapshots.read(ctx, async (snapshot) => {
    await recordAudit(ctx, { action: 'user.exported', actorId: userId, subjectId: userId });
    await write(writeDocument(snapshot, personDocument(userId)), snapshot.delivery);
  });
}

const organization = sql`json_build_object('id', o.id, 'name', o.name)`.as('organization');
const event = sql`json_build_object('id', e.id, 'name', e.name, 'date_start', ${iso(sql.ref('e.date_start'))},
  'date_end', ${iso(sql.ref('e.date_end'))}, 'timezone', e.timezone)`.as('event');

/** Names nobody else, such as a manager who moved a subscription. */
function personDocument(userId: string): Record<string, Section> {
  const user = tables.selectFrom('user as u').where('u.id', '=', userId);
  // without the ids of others
  const changes = sql`coalesce((select json_agg(json_build_object('kind', c.kind, 'status_from', c.status_from, 'status_to', c.status_to,
      'by_self', c.actor_id is not distinct from ${userId}::uuid, 'created_at', ${iso(sql.ref('c.created_at'))})
      order by c.created_at, c.id) from subscription_change c where c.subscription_id = s.id), '[]'::json)`;
  return {
    profile: {
      single: true,
      rows: user
        .select(['u.id', 'u.email', 'u.name', 'u.avatar_url'])
        .select(times('user as u', 'verified_at', 'created_at', 'updated_at'))
        .select(({ exists, selectFrom }) =>
          exists(selectFrom('calendar_feed as f').whereRef('f.user_id', '=', 'u.id')).as('has_calendar_address'),
        ),
    },
    memberships: {
      rows: everyMember
        .innerJoin('organization as o', 'o.id', 'm.organization_id')
        .select([organization, 'm.role', ...times('membership as m', 'created_at')])
        .where('m.user_id', '=', userId)
        .orderBy('m.created_at')
        .orderBy('m.id'),
    },
    invitations: {
      rows: user
        .innerJoin('invitation as i', 'i.mailbox', 'u.mailbox')
        .innerJoin('organization as o', 'o.id', 'i.organization_id')
        .select([organization, 'i.role', ...times('invitation as i', 'created_at', 'expires_at')])
        .orderBy('i.created_at')
        .orderBy('i.id'),
    },
    subscriptions: {
      large: true,
      rows: tables
        .selectFrom('subscription as s')
        .innerJoin('event as e', 'e.id', 's.event_id')
        .innerJoin('organization as o', 'o.id', 'e.organization_id')
        .select(['s.id', organization, event, 's.status', 's.answers', 's.form_version', 's.guest_name as name_given'])
        .select(times('subscription as s', 'waiting_since', 'checked_in_at', 'created_at', 'updated_at'))
        .select(changes.as('changes'))
        .where('s.user_id', '=', userId)
        .orderBy('s.created_at')
        .orderBy('s.id'),
    },
    requests: {
      rows: user
        .innerJoin('guest_request as r', 'r.mailbox', 'u.mailbox')
        .select(['r.event_id', 'r.email', 'r.name', 'r.answers', 'r.form_version'])
        .select(times('guest_request as r', 'created_at', 'expires_at'))
        .orderBy('r.created_at')
        .orderBy('r.id'),
    },
    sessions: {
      rows: tables
        .selectFrom('session as s')
        .select(['s.id', 's.ip', 's.user_agent'])
        .select(times('session as s', 'created_at', 'last_used_at', 'expires_at', 'ended_at'))
        .where('s.user_id', '=', userId)
        .orderBy('s.created_at')
        .orderBy('s.id'),
    },
    audit_entries: {
      rows: tables
        .selectFrom('audit_entry as a')
        .select(['a.id', 'a.action', 'a.organization_id', 'a.ip', 'a.user_agent', 'a.request_id'])
        .select(times('audit_entry as a', 'created_at'))
        .where('a.actor_id', '=', userId)
        .orderBy('a.created_at')
        .orderBy('a.id'),
    },
  };
}
