import { z } from 'zod';
import { emailAddress, mailboxOf, webAddress } from '#input-values';
import type { Rows, Tables } from '#table-import';
import { eventRegistrations, eventVisibilities } from '../../domain/event/event.entity.ts';
import { reminderHours } from '../../domain/event/reminder.ts';
import { questionList } from '../../domain/form/question.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { accentColor } from '../../domain/organization/organization.input.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { subscriptionChangeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { changedNow } from '../../engine/columns.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { id, integer, name, object, slug, webAddress as storedAddress, text, timestamp, timezone } from './values.ts';

/** The time of the import, as PostgreSQL reads it. */
const now = timestamp.default('now');
/** Each later write adds one, and the column has 32 bits. */
const version = integer(1, 1_000_000_000);
const description = text(0, 20_000).nullish();

/** A version never goes back (guides/import-and-export.md#imports). */
const nextVersion = (table: string, changed: string) =>
  `greatest(excluded.version, ${table}.version + case when ${changed} then 1 else 0 end)`;

/** Questions are stored once for the organization, as `writeForm` does. */
const upsertForms = `with given as (
    select e.organization_id, e.id as event_id, (form->>'version')::int as version, form->'questions' as questions,
      sha256(convert_to((form->'questions')::text, 'UTF8')) as hash
    from jsonb_array_elements($1::jsonb) as form join "event" e on e.id = (form->>'event_id')::uuid
  ), content as (
    insert into "form_content" (organization_id, hash, questions)
    select distinct on (organization_id, hash) organization_id, hash, questions from given
    on conflict (organization_id, hash) do update set unused_since = null
  )
  insert into "form_version" (event_id, version, organization_id, hash)
  select event_id, version, organization_id, hash from given
  on conflict (event_id, version) do update set organization_id = excluded.organization_id, hash = excluded.hash`;

/** See guides/import-and-export.md#imports. */
export const tables = {
  organizations: {
    table: 'organization',
    keys: {
      id,
      name,
      slug: slug.optional(),
      signup: z.enum(signupPolicies).default('open'),
      description,
      website: webAddress.nullish(),
      contact_email: emailAddress.nullish(),
      accent: accentColor.nullish(),
      version: version.default(1),
      created_at: now,
    },
    unique: { slug: ['slug'] },
    referable: 'deleted_at is null',
    following: (changed) => ({ version: nextVersion('organization', changed) }),
  },
  users: {
    table: 'user',
    keys: {
      id,
      email: emailAddress.nullable(),
      name,
      avatar_url: storedAddress.nullish(),
      password: text(8, 256).optional(),
      verified: z.boolean().optional(),
      created_at: now,
    },
    unstored: ['password', 'verified'],
    unique: { email: ['mailbox'] },
    complete: (row, report) => {
      if (typeof row.email === 'string') row.mailbox = mailboxOf(row.email);
      if (row.email !== null) return;
      if (row.password !== undefined) report('password', 'is of no use without an address');
      // nobody signs in as a deleted user
      Object.assign(row, { mailbox: null, password_hash: null });
    },
    computed: {
      // added by `complete` and `hashPasswords`
      mailbox: '"row".mailbox',
      password_hash: '"row".password_hash',
      verified_at: `case (given->>'verified')::boolean when true then coalesce(old.verified_at, now()) when false then null
        else old.verified_at end`,
      updated_at: changedNow('old'),
    },
  },
  memberships: {
    table: 'membership',
    identity: ['organization_id', 'user_id'],
    keys: { organization_id: id, user_id: id, role: z.enum(organizationRoles), created_at: now },
    references: { organization_id: 'organizations', user_id: 'users' },
    // added by `importDocument`
    computed: { id: '"row".id' },
  },
  events: {
    table: 'event',
    keys: {
      id,
      organization_id: id,
      name,
      slug: slug.optional(),
      description,
      status: integer(0, 3).default(0),
      date_start: timestamp,
      date_end: timestamp,
      timezone: timezone.default('UTC'),
      location: description,
      capacity: integer(0, 2_147_483_647).nullish(),
      visibility: z.enum(eventVisibilities).default('organization'),
      registration: z.enum(eventRegistrations).default('open'),
      waiting_list: z.boolean().default(true),
      version: version.default(1),
      created_at: now,
      updated_at: now,
    },
    // keys that people may expect to work
    refused: { accepted_count: 'is counted from the subscriptions and cannot be given' },
    unique: { slug: ['organization_id', 'slug'] },
    references: { organization_id: 'organizations' },
    complete: (row, report) => {
      if (typeof row.date_start === 'string' && typeof row.date_end === 'string' && row.date_end < row.date_start) {
        report('date_end', 'must not be before date_start');
      }
    },
    following: (changed) => ({
      version: nextVersion('event', changed),
      updated_at: `case when excluded.updated_at = event.updated_at and ${changed} then ${changedNow('event')} else excluded.updated_at end`,
      reminded_start: 'excluded.reminded_start',
    }),
    computed: {
      // as for an event that becomes active or moves with less than a day left (domain/event/reminder.ts)
      reminded_start: `case when "row".status = 1 and "row".date_start < now() + interval '${reminderHours} hours'
        and (old.status, old.date_start) is distinct from ("row".status, "row".date_start)
        then "row".date_start else old.reminded_start end`,
    },
  },
  forms: {
    table: 'form_version',
    identity: ['event_id', 'version'],
    keys: { event_id: id, version, questions: questionList },
    references: { event_id: 'events' },
    statement: upsertForms,
  },
  former_slugs: {
    table: 'event_slug',
    identity: ['organization_id', 'slug'],
    keys: { organization_id: id, slug, event_id: id },
    references: { organization_id: 'organizations', event_id: 'events' },
  },
  subscriptions: {
    table: 'subscription',
    keys: {
      id,
      event_id: id,
      user_id: id,
      status: z.enum(subscriptionStatuses).default('pending'),
      answers: object.nullish(),
      form_version: version.nullish(),
      waiting_since: timestamp.nullish(),
      checked_in_at: timestamp.nullish(),
      guest_name: name.nullish(),
      created_at: now,
      updated_at: now,
    },
    references: { event_id: 'events', user_id: 'users' },
    computed: {
      organization_id: '(select e.organization_id from event e where e.id = "row".event_id)',
      // a waiting subscription without a time has waited since it was created (guides/import-and-export.md#imports)
      waiting_since: `case when "row".status = 'waitlisted'
        then coalesce("row".waiting_since, old.waiting_since, "row".created_at) end`,
      form_version: 'case when "row".answers is not null then "row".form_version end',
      // what a guest proved and typed does not pass to another user
      mailbox_proven: 'coalesce(old.user_id = "row".user_id and old.mailbox_proven, false)',
      guest_name: `case when given ? 'guest_name' or old.user_id = "row".user_id then "row".guest_name end`,
    },
  },
  changes: {
    table: 'subscription_change',
    keys: {
      id,
      subscription_id: id,
      kind: z.enum(subscriptionChangeKinds).default('status'),
      status_from: z.enum(subscriptionStatuses).nullish(),
      status_to: z.enum(subscriptionStatuses),
      // the user may not exist here
      actor_id: id.nullish(),
      created_at: now,
    },
    references: { subscription_id: 'subscriptions' },
  },
} as const satisfies Tables<string>;

export type Document = Rows<keyof typeof tables>;
