import sql, { type Sql } from 'sql-template-tag';
import { type ViewerContext, withPerson } from '../../engine/context.ts';
import type { Delivery } from '../../kernel/delivery.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { everyMembership } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Section, writeDocument } from './export-document.ts';
import { isoSql, jsonColumnsOf, jsonSql, timesOf } from './json-sql.ts';

/**
 * Passes everything that is kept about the viewer to `write`, as one JSON document from one snapshot
 * (interface/leaving.md#exporting-ones-data).
 *
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

/** What is kept about a user. Whoever else was involved, such as a manager who moved a subscription, is not named. */
function personDocument(userId: string): Section[] {
  const user = sql`${userId}::uuid`;
  return [
    {
      name: 'profile',
      single: true,
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('u', ['id', 'email', 'name', 'avatar_url']),
        ...timesOf('u', ['verified_at', 'created_at', 'updated_at']),
        has_calendar_address: sql`exists (select from calendar_feed f where f.user_id = u.id)`,
      })} from "user" u where u.id = ${user}`,
    },
    {
      name: 'memberships',
      statement: sql`select ${jsonSql({ organization, role: 'm.role', ...timesOf('m', ['created_at']) })}
        from ${everyMembership} m join organization o on o.id = m.organization_id where m.user_id = ${user}
        order by m.created_at, m.id`,
    },
    {
      name: 'invitations',
      statement: sql`select ${jsonSql({ organization, role: 'i.role', ...timesOf('i', ['created_at', 'expires_at']) })}
        from invitation i join organization o on o.id = i.organization_id join "user" u on u.mailbox = i.mailbox
        where u.id = ${user} order by i.created_at, i.id`,
    },
    {
      name: 'subscriptions',
      large: true,
      statement: sql`select ${jsonSql({
        id: 's.id',
        organization,
        event: sql`json_build_object('id', e.id, 'name', e.name, 'date_start', ${isoSql('e.date_start')},
          'date_end', ${isoSql('e.date_end')}, 'timezone', e.timezone)`,
        ...jsonColumnsOf('s', ['status', 'answers', 'form_version']),
        name_given: 's.guest_name',
        ...timesOf('s', ['waiting_since', 'checked_in_at', 'created_at', 'updated_at']),
        changes: history(user),
      })} from subscription s join event e on e.id = s.event_id join organization o on o.id = e.organization_id
        where s.user_id = ${user} order by s.created_at, s.id`,
    },
    {
      name: 'requests',
      statement: sql`select ${jsonSql({
        event_id: 'r.event_id',
        ...jsonColumnsOf('r', ['email', 'name', 'answers', 'form_version']),
        ...timesOf('r', ['created_at', 'expires_at']),
      })} from guest_request r join "user" u on u.mailbox = r.mailbox where u.id = ${user} order by r.created_at, r.id`,
    },
    {
      name: 'sessions',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('s', ['id', 'ip', 'user_agent']),
        ...timesOf('s', ['created_at', 'last_used_at', 'expires_at', 'ended_at']),
      })} from session s where s.user_id = ${user} order by s.created_at, s.id`,
    },
    {
      name: 'audit_entries',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('a', ['id', 'action', 'organization_id', 'ip', 'user_agent', 'request_id']),
        ...timesOf('a', ['created_at']),
      })} from audit_entry a where a.actor_id = ${user} order by a.created_at, a.id`,
    },
  ];
}

const organization = sql`json_build_object('id', o.id, 'name', o.name)`;

/** The history of the subscription `s`, without the ids of others. */
function history(user: Sql): Sql {
  return sql`coalesce((select json_agg(json_build_object('kind', c.kind, 'status_from', c.status_from, 'status_to', c.status_to,
      'by_self', c.actor_id is not distinct from ${user}, 'created_at', ${isoSql('c.created_at')})
      order by c.created_at, c.id) from subscription_change c where c.subscription_id = s.id), '[]'::json)`;
}
