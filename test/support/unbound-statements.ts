/** Statements that do not name the one organization whose rows they touch, and why; each by a piece of its text. */
interface Reason {
  because: string;
  statements: readonly string[];
}

/**
 * Of tables whose rows name their organization.
 */
export const unboundStatements: readonly Reason[] = [
  {
    because: 'the unit of work finds and writes a row by its id, which is unique among all organizations',
    statements: [
      'update "event" set',
      'update "subscription" set',
      'update "membership" set',
      'update "api_key" set',
      'update "webhook" set',
      'delete from "event" where "id" in',
      'delete from "membership" where "id" in',
      'delete from "invitation" where "id" in',
      'delete from "webhook" where "id" in',
      '"e0".* from "event" as "e0" where "e0"."id" =',
      '"e0"."accepted_count" from "event" as "e0" where "e0"."id" =',
      'from "subscription" as "s0" where "s0"."id" =',
      '"m0".* from "membership" as "m0" where "m0"."id" =',
    ],
  },
  {
    because:
      'asks what belongs to a user, in all organizations: their sign-in, their lists, their export, their erasure',
    statements: [
      'from session left join (select m.user_id, m.organization_id, m.role from membership m',
      'select id, email, name, (select coalesce(json_agg(agg)',
      'm.role, m.user_id from organization o join (select m.organization_id, m.user_id, m.role from membership m',
      'select m.organization_id as id, o.maker_id, (select json_build_object',
      "select to_json(row)::text as json from (select json_build_object('id', o.id, 'name', o.name) as organization",
      'with marked as (update membership mine set shares_trail = true',
      'u.verified_at is not null and (m.user_id = $ and m.role =',
      'select count(*) as count from membership m0 where m0.user_id =',
      'where id in (select m.organization_id from membership m where m.user_id = $)',
      'own join organization o on o.id = own.organization_id where (own.user_id =',
      'delete from membership where user_id =',
      'delete from invitation where (mailbox =',
      'delete from guest_link where subscription_id in (select id from subscription where user_id =',
      'delete from idempotency_key where concerns &&',
      'select distinct organization_id as id from subscription where user_id =',
      'update subscription as s set answers = $, form_version =',
      'join organization o on o.id = e.organization_id where s.user_id =',
      'where u.verified_at is not null) t where t.id = any($::uuid[]) and',
      'u.verified_at is not null and m.user_id = $ order by',
    ],
  },
  {
    because: 'starts from a secret that knows no organization: an API key, an invitation, the link of a guest',
    statements: [
      'from api_key k join organization o on o.id = k.organization_id where k.hash =',
      'update api_key set last_used_at =',
      'from invitation i0 where i0.hash =',
      'delete from invitation i using user as u where i.hash =',
      'from guest_link l join subscription s on s.id = l.subscription_id',
      'from guest_request r join event e on e.id = r.event_id',
      'join event e on e.organization_id = m.organization_id where u.verified_at is not null and (e.id =',
      'organization_slug from event e) t where t.id = $::uuid',
    ],
  },
  {
    because: 'a job, which serves all organizations by turns',
    statements: [
      'array(select distinct organization_id from change where x >=',
      'e.status as event_status, e.archived_cancelled, u.email',
      'select i.email from invitation i where i.id =',
      'update invitation as i set hash =',
      'with due as ( select job.*, turn.most from unnest',
      'select from webhook where id = $ and status =',
      'update webhook set place =',
    ],
  },
  {
    because: 'a job that deletes rows by their place, which it found by their organization',
    statements: [
      'where ctid = any(array(select ctid from',
      'delete from subscription where id in ( select id from subscription where organization_id =',
    ],
  },
  {
    because:
      'finds subscriptions by their event, which names the organization; the index of an event has no organization in it',
    statements: [
      'left join "user" u on u.id = s.user_id) t where t.event_id =',
      't.event_id = page.id',
      "select true as waits from subscription s where s.event_id = e.id and s.status = 'waitlisted'",
      'from event e left join subscription s on s.event_id = e.id',
      'select (select status from subscription where event_id =',
      'select s.status from subscription s where s.event_id = e.id and s.user_id =',
      's.checked_in_at, e.status as eventStatus, e.date_end from subscription s',
      'row_number() over (partition by event_id order by waiting_since, id)',
      'select id from subscription where event_id =',
      'select count(*) as count from subscription s0 where s0.event_id =',
      'select s.id, s.event_id, s.user_id from subscription s join event e on e.id = s.event_id',
      'select s.id, s.status, u.email from subscription s join "user" u',
      'from subscription s where s.event_id = $::uuid and (s.created_at, s.id) >',
      'with room as ( select id, greatest(coalesce(capacity',
      'as running from event e where',
    ],
  },
  {
    because: 'looks up the organization of an event whose row the same transaction has locked',
    statements: [
      'with content as ( insert into form_content',
      'from form_version where event_id = $ order by form_version.version desc limit 1 returning version',
      'join form_content c on c.organization_id = f.organization_id and c.hash = f.hash where f.event_id =',
      'with e as ( select id, organization_id from event where id =',
      'insert into guest_link (hash, subscription_id, nonce, key_id, expires_at) select',
      'e.organization_id, e.organization_id, s.user_id::text, date_trunc(',
    ],
  },
  {
    because: 'takes the organization from another row of the same statement, which names it',
    statements: [
      'from form_version f join form_content c using (organization_id, hash)',
      'where e.organization_id = o.id and e.date_end <',
      'select id, 1 as rank from event where organization_id =',
      'select from change c where c.organization_id = w.organization_id',
      'delete from invitation i where i.organization_id = any(',
    ],
  },
  {
    because: 'starts from the id of a webhook, whose row was found within its organization',
    statements: [
      'join webhook w on w.id = given.id join organization o on o.id = w.organization_id',
      'from webhook w join organization o on o.id = w.organization_id',
    ],
  },
];
