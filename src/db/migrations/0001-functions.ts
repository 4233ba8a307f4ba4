// What the entities cannot say: extensions, functions, triggers, and tables that are not logged.

/** Every substring of one or two characters of a lower-case name, for an index of filters that are too short for a trigram. */
const nameGrams = `
create function "name_grams"("name" text) returns text[] language sql immutable parallel safe strict as $body$
select array(
  select distinct substr("lowered", "start", "length")
  from (select lower("name") as "lowered") as "text",
    generate_series(1, 2) as "length",
    generate_series(1, char_length("lowered") - "length" + 1) as "start")
$body$`;

/** Before the tables: trigrams, ids in the same GIN index (both are trusted extensions), and what indexes call. */
export const before = ['create extension if not exists pg_trgm', 'create extension if not exists btree_gin', nameGrams];

/** Whether a user is no guest of an organization. A function, so that lists are not planned with these tables each time. */
const isKnownUser = `
create function "is_known_user"("organization" uuid, "person" uuid) returns boolean language sql stable parallel safe as $body$
select
  exists (select from "subscription" where "organization_id" = "organization" and "user_id" = "person" and "guest_name" is null)
  or exists (select from "membership" where "organization_id" = "organization" and "user_id" = "person")
  or not exists (select from "subscription" where "organization_id" = "organization" and "user_id" = "person")
  or exists (select from "audit_entry" where "organization_id" = "organization" and "subject_id" = "person"
    and "action" in ('member.left', 'member.removed'))
$body$`;

/**
 * Updates `event.accepted_count` once per statement, so that a bulk change costs one update per event. Events are locked in the
 * order of their ids, so that bulk changes don't deadlock; foreign keys don't wait for this kind of lock.
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

/** Notifies `access_changed` of `{"user", "organization"}`, `{"session"}` or, after a bulk change, `{"all": true}`. */
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

/** Not for a deleted session that had ended: the sweep deletes those. */
const sessionNotifyAccess = `
create function "session_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'DELETE' then
    select array_agg(json_build_object('session', "id")) into payloads from "old_rows"
      where "ended_at" is null and "last_used_at" > now() - interval '31 days';
  else
    select array_agg(json_build_object('session', "new_rows"."id")) into payloads
      from "new_rows" join "old_rows" using ("id")
      where "new_rows"."ended_at" is not null and "old_rows"."ended_at" is null;
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`;

/** Every process forgets a key that was ended or deleted. */
const apiKeyNotifyAccess = `
create function "api_key_notify_access"() returns trigger language plpgsql as $body$
declare
  payloads json[];
begin
  if tg_op = 'DELETE' then
    select array_agg(json_build_object('user', "id", 'organization', "organization_id")) into payloads from "old_rows";
  else
    select array_agg(json_build_object('user', "new_rows"."id", 'organization', "new_rows"."organization_id")) into payloads
      from "new_rows" join "old_rows" using ("id")
      where ("new_rows"."ended_at", "new_rows"."expires_at", "new_rows"."role", "new_rows"."access")
        is distinct from ("old_rows"."ended_at", "old_rows"."expires_at", "old_rows"."role", "old_rows"."access");
  end if;
  perform "notify_access_changed"(payloads);
  return null;
end
$body$`;

/** Former memberships decide who may read an entry of the trail about a person (note 0024), unless the organization goes. */
const keepPeriod = `
create function "membership_keep_period"() returns trigger language plpgsql as $body$
begin
  insert into "former_membership" ("id", "organization_id", "user_id", "began_at", "ended_at")
    select gen_random_uuid(), "old_rows"."organization_id", "old_rows"."user_id", "old_rows"."created_at", now()
    from "old_rows" join "organization" on "organization"."id" = "old_rows"."organization_id"
    where "old_rows"."shares_trail";
  return null;
end
$body$`;

/**
 * A number that increases with every visible change of an organization's public events, to validate cached responses (note
 * 0042). Subscriptions change it only when they fill an event or free a place. A transaction changes it once.
 */
const raiseRevision = `
create function "public_revision_raise"("organization" uuid) returns void language sql as $body$
insert into "public_revision" ("organization_id", "revision") values ("organization", 1)
  on conflict ("organization_id") do update set "revision" = "public_revision"."revision" + 1
    where "public_revision"."xmin" <> pg_current_xact_id()::xid
$body$`;

const isPublic = (row: string) => `(${row}."visibility" = 'public' and ${row}."status" in (1, 2))`;
const shown = (
  row: string,
) => `(${row}."organization_id", ${row}."name", ${row}."slug", ${row}."description", ${row}."status",
  ${row}."date_start", ${row}."date_end", ${row}."timezone", ${row}."location", ${row}."visibility", ${row}."registration",
  ${row}."waiting_list", ${row}."updated_at", coalesce(${row}."accepted_count" < ${row}."capacity", true))`;

const eventRaiseRevision = `
create function "event_raise_revision"() returns trigger language plpgsql as $body$
begin
  if tg_op = 'INSERT' then
    perform "public_revision_raise"("organization_id") from (
      select distinct "organization_id" from "new_rows" where ${isPublic('"new_rows"')} order by "organization_id"
    ) as "organizations";
  elsif tg_op = 'DELETE' then
    -- the organization may be going, too
    update "public_revision" set "revision" = "revision" + 1 where "organization_id" = old."organization_id";
  else
    perform "public_revision_raise"(old."organization_id");
    if new."organization_id" <> old."organization_id" then
      perform "public_revision_raise"(new."organization_id");
    end if;
  end if;
  return null;
end
$body$`;

const formRaiseRevision = `
create function "event_form_raise_revision"() returns trigger language plpgsql as $body$
begin
  perform "public_revision_raise"("organization_id") from (
    select distinct "event"."organization_id" from "new_rows" join "event" on "event"."id" = "new_rows"."event_id"
    order by "event"."organization_id"
  ) as "organizations";
  return null;
end
$body$`;

/**
 * A former slug that ends or moves to another event changes public responses, even if that event is not public (note 0042).
 * Deferred, so that the revision stays the last lock of a transaction.
 */
const slugRaiseRevision = `
create function "event_slug_raise_revision"() returns trigger language plpgsql as $body$
begin
  -- the organization may be going, too
  perform "public_revision_raise"("id") from "organization" where "id" = old."organization_id";
  return null;
end
$body$`;

/** The sweep deletes contents that no version of a form has used for a while. */
const noteUnusedForm = `
create function "form_version_note_unused"() returns trigger language plpgsql as $body$
begin
  update "form_content" as "content" set "unused_since" = now() from "old_rows"
  where "content"."organization_id" = "old_rows"."organization_id" and "content"."hash" = "old_rows"."hash"
    and not exists (
      select from "form_version" as "other"
      where "other"."organization_id" = "content"."organization_id" and "other"."hash" = "content"."hash"
    );
  return null;
end
$body$`;

/** For an index of an organization's subscriptions (note 0060). An unknown event is refused as by the foreign key. */
const takeOrganization = `
create function "subscription_take_organization"() returns trigger language plpgsql as $body$
begin
  select "organization_id" into new."organization_id" from "event" where "id" = new."event_id";
  if not found then
    raise foreign_key_violation using constraint = 'subscription_event_id_foreign', table = 'subscription',
      message = 'insert or update on table "subscription" violates foreign key constraint "subscription_event_id_foreign"';
  end if;
  return new;
end
$body$`;

/** An import may move an event to another organization. */
const moveSubscriptions = `
create function "event_move_subscriptions"() returns trigger language plpgsql as $body$
begin
  update "subscription" set "organization_id" = new."organization_id" where "event_id" = new."id";
  return null;
end
$body$`;

const transitionTables = {
  insert: 'referencing new table as "new_rows"',
  update: 'referencing old table as "old_rows" new table as "new_rows"',
  delete: 'referencing old table as "old_rows"',
  truncate: '',
};

function perStatement(name: string, table: string, ...operations: (keyof typeof transitionTables)[]): string[] {
  return operations.map(
    (operation) =>
      `create trigger "${name}_on_${operation}" after ${operation} on "${table}" ${transitionTables[operation]} for each statement execute function "${name}"()`,
  );
}

function perRow(name: string, moment: string, table: string, condition: string, run: string): string {
  return `create trigger "${name}" ${moment} on "${table}" for each row when (${condition}) execute function "${run}"()`;
}

export const after = [
  // their loss in a crash does no harm, and every sign-in and write writes one
  'alter table "rate_limit" set unlogged',
  'alter table "last_write" set unlogged',
  isKnownUser,
  countAccepted,
  ...perStatement('subscription_count_accepted', 'subscription', 'insert', 'update', 'delete', 'truncate'),
  notifyAccessChanged,
  membershipNotifyAccess,
  ...perStatement('membership_notify_access', 'membership', 'insert', 'update', 'delete'),
  sessionNotifyAccess,
  ...perStatement('session_notify_access', 'session', 'update', 'delete'),
  apiKeyNotifyAccess,
  ...perStatement('api_key_notify_access', 'api_key', 'update', 'delete'),
  keepPeriod,
  ...perStatement('membership_keep_period', 'membership', 'delete'),
  raiseRevision,
  eventRaiseRevision,
  ...perStatement('event_raise_revision', 'event', 'insert'),
  perRow(
    'event_raise_revision_on_update',
    'after update',
    'event',
    `(${isPublic('old')} or ${isPublic('new')}) and ${shown('old')} is distinct from ${shown('new')}`,
    'event_raise_revision',
  ),
  perRow('event_raise_revision_on_delete', 'after delete', 'event', isPublic('old'), 'event_raise_revision'),
  formRaiseRevision,
  ...perStatement('event_form_raise_revision', 'form_version', 'insert'),
  slugRaiseRevision,
  `create constraint trigger "event_slug_raise_revision" after update or delete on "event_slug" deferrable initially deferred
    for each row execute function "event_slug_raise_revision"()`,
  noteUnusedForm,
  ...perStatement('form_version_note_unused', 'form_version', 'delete'),
  takeOrganization,
  perRow(
    'subscription_take_organization_on_insert',
    'before insert',
    'subscription',
    'new."organization_id" is null',
    'subscription_take_organization',
  ),
  perRow(
    'subscription_take_organization_on_update',
    'before update of "event_id"',
    'subscription',
    'old."event_id" <> new."event_id"',
    'subscription_take_organization',
  ),
  moveSubscriptions,
  perRow(
    'event_move_subscriptions_on_update',
    'after update of "organization_id"',
    'event',
    'old."organization_id" <> new."organization_id"',
    'event_move_subscriptions',
  ),
];
