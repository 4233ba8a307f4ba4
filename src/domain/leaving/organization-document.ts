import sql, { raw, type Sql } from 'sql-template-tag';
import { everyMembership } from '../access/memberships.ts';
import { writtenNames } from '../event/event.input.ts';
import { eventResource } from '../event/event.resource.ts';
import type { Section } from './export-document.ts';
import { jsonColumnsOf, jsonSql, timesOf } from './json-sql.ts';

const isTime = (name: (typeof writtenNames)[number]) => eventResource.fields[name].type === 'timestamp';
/** Whatever a write of an event can set is exported. */
const writtenTimes = writtenNames.filter(isTime);
const writtenValues = writtenNames.filter((name) => !isTime(name));

/**
 * The document of one organization, or of all, in the form that an import reads (interface/loading-data.md#imports): all that
 * its lists show. Users have no passwords, and guests keep the names of their subscriptions.
 *
 * @param only the id of the organization; null for all, with every user
 */
export function organizationDocument(only: string | null): Section[] {
  const within = (column: string): Sql => (only === null ? sql`true` : sql`${raw(column)} = ${only}::uuid`);
  const known = sql`exists (select from ${everyMembership} m where m.user_id = u.id and ${within('m.organization_id')})
    or exists (select from subscription s where s.user_id = u.id and ${within('s.organization_id')})`;
  // the user of an API key is none whom a document could have
  const everybody = sql`not exists (select from api_key k where k.id = u.id)`;
  return [
    {
      name: 'organizations',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('o', [
          'id',
          'name',
          'slug',
          'signup',
          'description',
          'website',
          'contact_email',
          'accent',
          'version',
        ]),
        ...timesOf('o', ['created_at']),
      })} from organization o where ${within('o.id')} and o.deleted_at is null order by o.created_at, o.id`,
    },
    {
      name: 'users',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('u', ['id', 'email', 'name', 'avatar_url']),
        verified: 'u.verified_at is not null',
        ...timesOf('u', ['created_at']),
      })} from "user" u where ${only === null ? everybody : known} order by u.id`,
    },
    {
      name: 'memberships',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('m', ['organization_id', 'user_id', 'role']),
        ...timesOf('m', ['created_at']),
      })} from ${everyMembership} m join organization o on o.id = m.organization_id
        where ${within('m.organization_id')} and o.deleted_at is null order by m.organization_id, m.created_at, m.id`,
    },
    {
      name: 'events',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('e', ['id', 'organization_id', ...writtenValues, 'version']),
        ...timesOf('e', [...writtenTimes, 'created_at', 'updated_at']),
      })} from event e join organization o on o.id = e.organization_id
        where ${within('e.organization_id')} and o.deleted_at is null order by e.id`,
    },
    {
      name: 'forms',
      large: true,
      statement: sql`select ${jsonSql({ ...jsonColumnsOf('f', ['event_id', 'version']), questions: 'c.questions' })}
        from form_version f join form_content c using (organization_id, hash)
        join organization o on o.id = f.organization_id
        where ${within('f.organization_id')} and o.deleted_at is null order by f.event_id, f.version`,
    },
    {
      name: 'former_slugs',
      statement: sql`select ${jsonSql(jsonColumnsOf('f', ['organization_id', 'slug', 'event_id']))} from event_slug f
        join organization o on o.id = f.organization_id
        where ${within('f.organization_id')} and o.deleted_at is null order by f.organization_id, f.slug`,
    },
    {
      name: 'subscriptions',
      large: true,
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('s', ['id', 'event_id', 'user_id', 'status', 'answers', 'form_version', 'guest_name']),
        ...timesOf('s', ['waiting_since', 'checked_in_at', 'created_at', 'updated_at']),
      })} from subscription s ${ofOrganizations(within)} order by s.id`,
    },
    {
      name: 'changes',
      statement: sql`select ${jsonSql({
        ...jsonColumnsOf('c', ['id', 'subscription_id', 'kind', 'status_from', 'status_to', 'actor_id']),
        ...timesOf('c', ['created_at']),
      })} from subscription_change c join subscription s on s.id = c.subscription_id ${ofOrganizations(within)} order by c.id`,
    },
  ];
}

/** Only what belongs to the subscriptions `s` of organizations that are exported. */
function ofOrganizations(within: (column: string) => Sql): Sql {
  return sql`join organization o on o.id = s.organization_id
    where ${within('s.organization_id')} and o.deleted_at is null`;
}
