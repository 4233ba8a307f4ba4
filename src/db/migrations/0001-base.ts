import { Migration } from '@mikro-orm/migrations';
import { after, before } from './0001-functions.ts';

/** As MikroORM's schema generator makes them from the entities. */
const tables = [
  `create table "audit_entry" ("id" uuid not null, "organization_id" uuid null, "person_id" uuid null, "actor_id" uuid null, "subject_id" uuid null, "action" varchar(60) not null, "detail" jsonb null, "ip" varchar(64) null, "user_agent" varchar(400) null, "request_id" varchar(64) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "audit_entry_created_at_index" on "audit_entry" ("created_at")`,
  `create index "audit_entry_organization_id_created_at_index" on "audit_entry" ("organization_id", "created_at", "id")`,
  `create index "audit_entry_action_created_at_index" on "audit_entry" ("organization_id", "action", "created_at", "id")`,
  `create index "audit_entry_actor_id_created_at_index" on "audit_entry" ("organization_id", "actor_id", "created_at", "id")`,
  `create index "audit_entry_subject_id_created_at_index" on "audit_entry" ("organization_id", "subject_id", "created_at", "id")`,
  `create index "audit_entry_request_id_index" on "audit_entry" ("request_id")`,
  `create index "audit_entry_email_index" on "audit_entry" (lower("detail"->>'email')) where "detail" ? 'email'`,
  `create index "audit_entry_person_id_created_at_index" on "audit_entry" ("person_id", "created_at", "id") include ("action", "actor_id", "subject_id") where "person_id" is not null`,

  `create table "change" ("organization_id" uuid not null, "seq" bigserial not null, "x" xid8 not null, "id" uuid not null, "kind" text not null, "op" text null, "member_op" text null, "object_id" uuid null, "event_id" uuid null, "user_id" uuid null, "version" int null, "actor_id" uuid null, "occurred_at" timestamptz(3) not null, primary key ("organization_id", "seq"))`,
  `create index "change_kind_index" on "change" ("organization_id", "kind", "seq")`,
  `create index "change_member_index" on "change" ("organization_id", "user_id", "kind", "seq") where "member_op" is not null`,
  `create index "change_transaction_index" on "change" ("x", "organization_id", "seq")`,
  `alter table "change" add constraint "change_kind_check" check ("kind" in ('event', 'form', 'subscription'))`,
  `alter table "change" add constraint "change_op_check" check ("op" in ('created', 'changed', 'deleted', 'hidden', 'refetch'))`,
  `alter table "change" add constraint "change_member_op_check" check ("member_op" in ('created', 'changed', 'deleted', 'hidden', 'refetch'))`,

  `create table "change_floor" ("organization_id" uuid not null, "seq" bigint not null, "updated_at" timestamptz(3) not null, primary key ("organization_id"))`,

  `create table "idempotency_key" ("id" bytea not null, "request" bytea not null, "status" smallint not null, "headers" jsonb not null, "body" text not null, "concerns" uuid[] not null default '{}', "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "idempotency_key_created_at_index" on "idempotency_key" ("created_at")`,
  `create index "idempotency_key_concerns_index" on "idempotency_key" using gin ("concerns")`,

  `create table "job" ("id" uuid not null, "lane" text not null, "kind" varchar(40) not null, "data" jsonb not null, "about" uuid generated always as (coalesce("data"->>'subscriptionId', "data"->'change'->>'id')::uuid) stored null, "organization_id" uuid null, "party" uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff', "key" varchar(60) null, "position" bigserial, "held" boolean not null default false, "claimed" boolean not null default false, "attempts" int not null default 0, "due_at" timestamptz(3) null default now(), "error" varchar(400) null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "job_due_index" on "job" ("lane", "due_at") where "due_at" is not null`,
  `create index "job_party_index" on "job" ("lane", "party", "due_at", "position") where "due_at" is not null`,
  `create index "job_key_index" on "job" ("party", "key", "position") where "key" is not null`,
  `create index "job_claimed_index" on "job" ("lane", "party") where "claimed"`,
  `create index "job_organization_index" on "job" ("organization_id") where "lane" <> 'deliveries'`,
  `create unique index "job_digest_unique" on "job" ("party", "key") where "kind" = 'subscription_digest' and "attempts" = 0`,
  `create unique index "job_periodic_unique" on "job" ("key") where "lane" = 'periodic'`,
  `create index "job_given_up_index" on "job" ("created_at") where "due_at" is null`,
  `alter table "job" add constraint "job_lane_check" check ("lane" in ('account_mails', 'guest_mails', 'event_mails', 'notices', 'deliveries', 'periodic'))`,

  `create table "last_write" ("user_id" uuid not null, "position" pg_lsn not null, "written_at" timestamptz(3) not null, primary key ("user_id"))`,
  `create index "last_write_written_at_index" on "last_write" ("written_at")`,

  `create table "log_restore" ("at" timestamptz(3) not null, "marked" boolean not null, "newest_at" timestamptz(3) null, "gap" bigint null, primary key ("at"))`,

  `create table "organization" ("id" uuid not null, "name" varchar(200) not null, "slug" varchar(200) not null, "signup" text not null default 'open', "description" text null, "website" varchar(2000) null, "contact_email" varchar(320) null, "accent" varchar(7) null, "version" int not null default 1, "maker_id" uuid null, "created_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, primary key ("id"))`,
  `alter table "organization" add constraint "organization_slug_unique" unique ("slug")`,
  `create index "organization_created_at_id_index" on "organization" ("created_at", "id")`,
  `create index "organization_maker_id_created_at_index" on "organization" ("maker_id", "created_at")`,
  `create index "organization_deleted_at_index" on "organization" ("deleted_at") where "deleted_at" is not null`,
  `alter table "organization" add constraint "organization_signup_check" check ("signup" in ('open', 'invite'))`,

  `create table "former_membership" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "began_at" timestamptz(3) not null, "ended_at" timestamptz(3) not null, primary key ("id"))`,
  `create index "former_membership_ended_at_index" on "former_membership" ("ended_at")`,
  `create index "former_membership_organization_id_user_id_index" on "former_membership" ("organization_id", "user_id")`,

  `create table "form_content" ("organization_id" uuid not null, "hash" bytea not null, "questions" jsonb not null, "unused_since" timestamptz(3) null, primary key ("organization_id", "hash"))`,
  `create index "form_content_unused_since_index" on "form_content" ("unused_since") where "unused_since" is not null`,

  `create table "event" ("id" uuid not null, "organization_id" uuid not null, "name" varchar(200) not null, "slug" varchar(200) not null, "description" text null, "status" smallint not null default 0, "date_start" timestamptz(3) not null, "date_end" timestamptz(3) not null, "timezone" varchar(64) not null default 'UTC', "location" text null, "capacity" int null, "visibility" text not null default 'organization', "registration" text not null default 'open', "waiting_list" boolean not null default true, "version" int not null default 1, "reminded_start" timestamptz(3) null, "archived_cancelled" boolean not null default false, "accepted_count" int not null default 0, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "event_date_start_index" on "event" ("organization_id", "date_start", "id") include ("status", "date_end", "visibility", "registration", "capacity", "created_at", "updated_at")`,
  `create index "event_created_at_index" on "event" ("organization_id", "created_at", "id")`,
  `create index "event_status_date_start_index" on "event" ("organization_id", "status", "date_start", "id") include ("date_end")`,
  `create index "event_visibility_date_start_index" on "event" ("organization_id", "visibility", "date_start", "id")`,
  `create index "event_registration_date_start_index" on "event" ("organization_id", "registration", "date_start", "id")`,
  `create index "event_date_end_index" on "event" ("organization_id", "date_end")`,
  `create index "event_updated_at_index" on "event" ("organization_id", "updated_at")`,
  `create index "event_capacity_index" on "event" ("organization_id", "capacity")`,
  `create index "event_name_trigram_index" on "event" using gin ("organization_id", lower("name") gin_trgm_ops)`,
  `create index "event_reminder_index" on "event" ("date_start") where status = 1`,
  `create index "event_name_gram_index" on "event" using gin ("organization_id", name_grams("name"))`,
  `alter table "event" add constraint "event_organization_id_slug_unique" unique ("organization_id", "slug")`,
  `alter table "event" add constraint "event_status_check" check ("status" >= 0 and "status" <= 3)`,
  `alter table "event" add constraint "event_dates_check" check ("date_end" >= "date_start")`,
  `alter table "event" add constraint "event_capacity_check" check ("capacity" >= 0)`,
  `alter table "event" add constraint "event_visibility_check" check ("visibility" in ('public', 'organization'))`,
  `alter table "event" add constraint "event_registration_check" check ("registration" in ('open', 'approval', 'closed'))`,

  `create table "guest_request" ("id" uuid not null, "event_id" uuid not null, "mailbox" varchar(400) not null, "email" varchar(320) not null, "name" varchar(200) not null, "answers" jsonb null, "form_version" int null, "hash" varchar(43) null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"))`,
  `alter table "guest_request" add constraint "guest_request_hash_unique" unique ("hash")`,
  `create index "guest_request_expires_at_index" on "guest_request" ("expires_at")`,
  `create index "guest_request_event_id_mailbox_index" on "guest_request" ("event_id", "mailbox")`,

  `create table "form_version" ("event_id" uuid not null, "version" int not null, "organization_id" uuid not null, "hash" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("event_id", "version"))`,
  `create index "form_version_organization_id_hash_index" on "form_version" ("organization_id", "hash")`,

  `create table "event_slug" ("organization_id" uuid not null, "slug" varchar(200) not null, "event_id" uuid not null, primary key ("organization_id", "slug"))`,
  `create index "event_slug_event_id_index" on "event_slug" ("event_id")`,

  `create table "event_change_notice" ("event_id" uuid not null, "former" jsonb not null, "due_at" timestamptz(3) not null, primary key ("event_id"))`,
  `create index "event_change_notice_due_at_index" on "event_change_notice" ("due_at")`,

  `create table "api_key" ("id" uuid not null, "organization_id" uuid not null, "role" text not null, "access" text not null, "webhooks" boolean not null default false, "prefix" varchar(12) not null, "hash" varchar(43) not null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "ended_at" timestamptz(3) null, primary key ("id"))`,
  `alter table "api_key" add constraint "api_key_hash_unique" unique ("hash")`,
  `create index "api_key_organization_id_created_at_id_index" on "api_key" ("organization_id", "created_at", "id")`,
  `alter table "api_key" add constraint "api_key_role_check" check ("role" in ('member', 'manager'))`,
  `alter table "api_key" add constraint "api_key_access_check" check ("access" in ('read', 'write'))`,

  `create table "public_revision" ("organization_id" uuid not null, "revision" bigint not null, primary key ("organization_id"))`,

  `create table "rate_limit" ("key" varchar(255) not null, "points" int not null default 0, "expire" bigint null, primary key ("key"))`,
  `create index "rate_limit_expire_index" on "rate_limit" ("expire")`,

  `create table "user" ("id" uuid not null, "email" varchar(320) null, "mailbox" varchar(400) null, "name" varchar(200) not null, "avatar_url" varchar(2048) null, "password_hash" text null, "verified_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "user_name_trigram_index" on "user" using gin (lower("name") gin_trgm_ops)`,
  `create index "user_name_gram_index" on "user" using gin (name_grams("name"))`,
  `create unique index "user_mailbox_unique" on "user" ("mailbox")`,

  `create table "subscription" ("id" uuid not null, "event_id" uuid not null, "user_id" uuid not null, "organization_id" uuid not null, "status" text not null, "answers" jsonb null, "form_version" int null, "waiting_since" timestamptz(3) null, "mailbox_proven" boolean not null default false, "guest_name" varchar(200) null, "checked_in_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "subscription_created_at_index" on "subscription" ("event_id", "created_at", "id") include ("status", "user_id", "checked_in_at", "updated_at", "guest_name")`,
  `create index "subscription_status_created_at_index" on "subscription" ("event_id", "status", "created_at", "id")`,
  `create index "subscription_waiting_index" on "subscription" ("event_id", "waiting_since", "id") where status = 'waitlisted'`,
  `create index "subscription_form_version_index" on "subscription" ("event_id", "form_version") where "form_version" is not null`,
  `create index "subscription_proven_index" on "subscription" ("event_id") where "mailbox_proven"`,
  `create index "subscription_organization_index" on "subscription" ("organization_id", "created_at", "id") include ("status", "user_id", "event_id", "checked_in_at", "updated_at")`,
  `create index "subscription_organization_status_index" on "subscription" ("organization_id", "status", "created_at", "id")`,
  `create index "subscription_organization_updated_at_index" on "subscription" ("organization_id", "updated_at")`,
  `create index "subscription_user_id_index" on "subscription" ("user_id", "organization_id", "created_at", "id")`,
  `create index "subscription_event_id_user_id_index" on "subscription" ("event_id", "user_id", "created_at", "id")`,
  `alter table "subscription" add constraint "subscription_status_check" check ("status" in ('pending', 'accepted', 'declined', 'waitlisted', 'cancelled'))`,

  `create table "subscription_change" ("id" uuid not null, "subscription_id" uuid not null, "kind" text not null, "status_from" text null, "status_to" text not null, "actor_id" uuid null, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "subscription_change_created_at_index" on "subscription_change" ("subscription_id", "created_at", "id")`,
  `alter table "subscription_change" add constraint "subscription_change_kind_check" check ("kind" in ('status', 'check_in', 'undo_check_in'))`,
  `alter table "subscription_change" add constraint "subscription_change_status_from_check" check ("status_from" in ('pending', 'accepted', 'declined', 'waitlisted', 'cancelled'))`,
  `alter table "subscription_change" add constraint "subscription_change_status_to_check" check ("status_to" in ('pending', 'accepted', 'declined', 'waitlisted', 'cancelled'))`,

  `create table "guest_link" ("hash" varchar(43) not null, "subscription_id" uuid not null, "nonce" varchar(43) not null, "key_id" varchar(16) not null, "expires_at" timestamptz(3) not null, primary key ("hash"))`,
  `create index "guest_link_expires_at_index" on "guest_link" ("expires_at")`,
  `create unique index "guest_link_subscription_id_key_id_unique" on "guest_link" ("subscription_id", "key_id")`,

  `create table "session" ("id" uuid not null, "user_id" uuid not null, "counter" int not null default 0, "rotated_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "end_reason" varchar(40) null, "ip" varchar(64) null, "user_agent" varchar(400) null, primary key ("id"))`,
  `create index "session_user_id_created_at_id_index" on "session" ("user_id", "created_at", "id")`,
  `create index "session_ended_at_index" on "session" ("ended_at") where "ended_at" is not null`,
  `create index "session_last_used_at_index" on "session" ("last_used_at") where "ended_at" is null`,

  `create table "pending_sign_up" ("user_id" uuid not null, "name" varchar(200) not null, "organization_id" uuid null, "organization_name" varchar(200) null, "disputed" boolean not null default false, "created_at" timestamptz(3) not null default now(), primary key ("user_id"))`,
  `create index "pending_sign_up_organization_id_index" on "pending_sign_up" ("organization_id")`,
  `create index "pending_sign_up_created_at_index" on "pending_sign_up" ("created_at")`,

  `create table "one_time_token" ("id" uuid not null, "user_id" uuid not null, "purpose" text not null, "hash" varchar(43) not null, "name" varchar(200) null, "organization_id" uuid null, "organization_name" varchar(200) null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"))`,
  `alter table "one_time_token" add constraint "one_time_token_hash_unique" unique ("hash")`,
  `create index "one_time_token_organization_id_index" on "one_time_token" ("organization_id")`,
  `create index "one_time_token_expires_at_index" on "one_time_token" ("expires_at")`,
  `alter table "one_time_token" add constraint "one_time_token_user_id_purpose_unique" unique ("user_id", "purpose")`,
  `alter table "one_time_token" add constraint "one_time_token_purpose_check" check ("purpose" in ('verify_email', 'reset_password'))`,

  `create table "membership" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "role" text not null, "shares_trail" boolean not null default false, "created_at" timestamptz(3) not null default now(), primary key ("id"))`,
  `create index "membership_user_id_index" on "membership" ("user_id")`,
  `create index "membership_organization_id_created_at_id_index" on "membership" ("organization_id", "created_at", "id")`,
  `create index "membership_shares_trail_index" on "membership" ("organization_id", "user_id") where "shares_trail"`,
  `alter table "membership" add constraint "membership_organization_id_user_id_unique" unique ("organization_id", "user_id")`,
  `alter table "membership" add constraint "membership_role_check" check ("role" in ('owner', 'manager', 'member'))`,

  `create table "invitation" ("id" uuid not null, "organization_id" uuid not null, "email" varchar(320) not null, "mailbox" varchar(400) not null, "role" text not null, "hash" varchar(43) null, "inviter_id" uuid null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "mailed_at" timestamptz(3) null, primary key ("id"))`,
  `alter table "invitation" add constraint "invitation_hash_unique" unique ("hash")`,
  `create index "invitation_inviter_id_index" on "invitation" ("inviter_id")`,
  `create index "invitation_expires_at_index" on "invitation" ("expires_at")`,
  `create unique index "invitation_organization_id_mailbox_unique" on "invitation" ("organization_id", "mailbox")`,
  `create index "invitation_organization_id_created_at_id_index" on "invitation" ("organization_id", "created_at", "id")`,
  `alter table "invitation" add constraint "invitation_role_check" check ("role" in ('owner', 'manager', 'member'))`,

  `create table "calendar_feed" ("user_id" uuid not null, "hash" varchar(43) not null, "created_at" timestamptz(3) not null default now(), primary key ("user_id"))`,
  `alter table "calendar_feed" add constraint "calendar_feed_hash_unique" unique ("hash")`,

  `create table "webhook" ("id" uuid not null, "organization_id" uuid not null, "url" varchar(2000) not null, "kinds" text[] not null, "description" varchar(500) not null, "status" text not null, "status_reason" varchar(500) null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "last_success_at" timestamptz(3) null, "last_failure_at" timestamptz(3) null, "place" jsonb null, "redirected_at" timestamptz(3) null, "replay_to" bigint null, "logged" int not null default 0, "unread" boolean not null default true, "failing_since" timestamptz(3) null, "warnings" smallint not null default 0, "healthy" boolean not null default false, "answering" boolean not null default true, primary key ("id"))`,
  `create index "webhook_organization_id_created_at_index" on "webhook" ("organization_id", "created_at", "id")`,
  `create index "webhook_failing_since_index" on "webhook" ("failing_since") where "failing_since" is not null`,
  `alter table "webhook" add constraint "webhook_status_check" check ("status" in ('active', 'paused', 'disabled'))`,

  `create table "webhook_delivery" ("id" uuid not null, "webhook_id" uuid not null, "change_id" uuid not null, "type" varchar(40) not null, "attempt" int not null, "status" text not null, "http_status" int null, "error" varchar(200) null, "response" varchar(1024) null, "duration_ms" int not null, "created_at" timestamptz(3) not null default now(), "next_attempt_at" timestamptz(3) null, "change" jsonb not null, "seq" bigint not null, primary key ("id"))`,
  `create index "webhook_delivery_created_at_id_index" on "webhook_delivery" ("webhook_id", "created_at", "id")`,
  `create index "webhook_delivery_change_id_index" on "webhook_delivery" ("webhook_id", "change_id")`,
  `create index "webhook_delivery_created_at_index" on "webhook_delivery" ("created_at")`,
  `alter table "webhook_delivery" add constraint "webhook_delivery_status_check" check ("status" in ('succeeded', 'failed'))`,

  `create table "webhook_secret" ("id" uuid not null, "webhook_id" uuid not null, "sealed" text not null, "created_at" timestamptz(3) not null default now(), "replaced_at" timestamptz(3) null, primary key ("id"))`,
  `create index "webhook_secret_created_at_index" on "webhook_secret" ("webhook_id", "created_at", "id")`,

  // by name, as a restored dump has them: the order decides in which order rows go with an organization
  `alter table "api_key" add constraint "api_key_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "calendar_feed" add constraint "calendar_feed_user_id_foreign" foreign key ("user_id") references "user" ("id") on update no action on delete cascade`,
  `alter table "event_change_notice" add constraint "event_change_notice_event_id_foreign" foreign key ("event_id") references "event" ("id") on update cascade on delete cascade`,
  `alter table "event" add constraint "event_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "event_slug" add constraint "event_slug_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
  `alter table "event_slug" add constraint "event_slug_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "form_content" add constraint "form_content_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "form_version" add constraint "form_version_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
  `alter table "form_version" add constraint "form_version_organization_id_hash_foreign" foreign key ("organization_id", "hash") references "form_content" ("organization_id", "hash") on update no action on delete no action`,
  `alter table "former_membership" add constraint "former_membership_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "guest_link" add constraint "guest_link_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
  `alter table "guest_request" add constraint "guest_request_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
  `alter table "invitation" add constraint "invitation_inviter_id_foreign" foreign key ("inviter_id") references "user" ("id") on delete set null`,
  `alter table "invitation" add constraint "invitation_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "membership" add constraint "membership_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "membership" add constraint "membership_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
  `alter table "one_time_token" add constraint "one_time_token_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "one_time_token" add constraint "one_time_token_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
  `alter table "pending_sign_up" add constraint "pending_sign_up_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete set null`,
  `alter table "pending_sign_up" add constraint "pending_sign_up_user_id_foreign" foreign key ("user_id") references "user" ("id") on update no action on delete cascade`,
  `alter table "public_revision" add constraint "public_revision_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on update no action on delete cascade`,
  `alter table "session" add constraint "session_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
  `alter table "subscription_change" add constraint "subscription_change_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
  `alter table "subscription" add constraint "subscription_event_id_foreign" foreign key ("event_id") references "event" ("id") on delete cascade`,
  `alter table "subscription" add constraint "subscription_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
  `alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
  `alter table "webhook" add constraint "webhook_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade`,
  `alter table "webhook_secret" add constraint "webhook_secret_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
];

/** The tables of the first release, with their functions and triggers. Migrations after it change them. */
export class Base extends Migration {
  override up(): void {
    for (const statement of [...before, ...tables, ...after]) this.addSql(statement);
  }
}
