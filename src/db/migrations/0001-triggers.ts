/**
 * `event.accepted_count` counts the event's subscriptions in state `accepted` (interface/resources.md#event). Updated
 * once per statement rather than once per row, so that a bulk change costs one update per event. Events are locked in
 * the order of their ids, so that two bulk changes wait for each other instead of deadlocking; foreign keys do not wait
 * for this kind of lock.
 */
const countAccepted = `
create function "subscription_count_accepted"() returns trigger language plpgsql as $body$
declare
  ids uuid[];
  deltas int[];
begin
  if tg_op = 'TRUNCATE' then
    update "event" set "accepted_count" = 0 where "accepted_count" <> 0;
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg("event_id"), array_agg("delta") into ids, deltas from (
      select "event_id", count(*)::int as "delta" from "new_rows" where "status" = 'accepted' group by "event_id"
    ) as "change";
  elsif tg_op = 'DELETE' then
    select array_agg("event_id"), array_agg("delta") into ids, deltas from (
      select "event_id", -count(*)::int as "delta" from "old_rows" where "status" = 'accepted' group by "event_id"
    ) as "change";
  else
    select array_agg("event_id"), array_agg("delta") into ids, deltas from (
      select "event_id", sum("sign")::int as "delta" from (
        select "event_id", 1 as "sign" from "new_rows" where "status" = 'accepted'
        union all
        select "event_id", -1 from "old_rows" where "status" = 'accepted'
      ) as "accepted" group by "event_id" having sum("sign") <> 0
    ) as "change";
  end if;
  if ids is not null then
    perform from "event" where "id" = any(ids) order by "id" for no key update;
    update "event" set "accepted_count" = "accepted_count" + "change"."delta"
      from unnest(ids, deltas) as "change" ("event_id", "delta") where "event"."id" = "change"."event_id";
  end if;
  return null;
end
$body$`;

/**
 * Tells every process that listens on the channel \`access_changed\` what to forget: \`{"user", "organization"}\`,
 * \`{"session"}\`, or after a bulk change \`{"all": true}\`. Delivered only at commit.
 */
const notifyAccessChanged = `
create function "notify_access_changed"(payloads json[]) returns void language plpgsql as $body$
begin
  if cardinality(payloads) > 100 then
    perform pg_notify('access_changed', '{"all":true}');
  else
    perform pg_notify('access_changed', payload::text) from unnest(payloads) as payload;
  end if;
end
$body$`;

const membershipNotifyAccess = `
create function "membership_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'INSERT' then
    select array_agg(json_build_object('user', "user_id", 'organization', "organization_id")) into payloads from "new_rows";
  elsif tg_op = 'DELETE' then
    select array_agg(json_build_object('user', "user_id", 'organization', "organization_id")) into payloads from "old_rows";
  else
    select array_agg(json_build_object('user', "user_id", 'organization', "organization_id")) into payloads from (
      select distinct "user_id", "organization_id" from (
        (select "user_id", "organization_id", "role" from "old_rows" except select "user_id", "organization_id", "role" from "new_rows")
        union
        (select "user_id", "organization_id", "role" from "new_rows" except select "user_id", "organization_id", "role" from "old_rows")
      ) as "difference"
    ) as "changed";
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`;

const sessionNotifyAccess = `
create function "session_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'DELETE' then
    select array_agg(json_build_object('session', "id")) into payloads from "old_rows";
  else
    select array_agg(json_build_object('session', "new_rows"."id")) into payloads
      from "new_rows" join "old_rows" using ("id")
      where "new_rows"."ended_at" is not null and "old_rows"."ended_at" is null;
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`;

const transitionTables = {
  insert: 'referencing new table as "new_rows"',
  update: 'referencing old table as "old_rows" new table as "new_rows"',
  delete: 'referencing old table as "old_rows"',
  truncate: '',
};

function after(operation: keyof typeof transitionTables, table: string, name: string): string {
  const rows = transitionTables[operation];
  return `create trigger "${name}_on_${operation}" after ${operation} on "${table}" ${rows} for each statement execute function "${name}"()`;
}

/** The triggers of the first migration, with their functions. */
export const triggers = [
  countAccepted,
  after('insert', 'subscription', 'subscription_count_accepted'),
  after('update', 'subscription', 'subscription_count_accepted'),
  after('delete', 'subscription', 'subscription_count_accepted'),
  after('truncate', 'subscription', 'subscription_count_accepted'),
  notifyAccessChanged,
  membershipNotifyAccess,
  after('insert', 'membership', 'membership_notify_access'),
  after('update', 'membership', 'membership_notify_access'),
  after('delete', 'membership', 'membership_notify_access'),
  sessionNotifyAccess,
  after('update', 'session', 'session_notify_access'),
  after('delete', 'session', 'session_notify_access'),
];
