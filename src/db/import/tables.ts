import { z } from 'zod';
import { eventRegistrations, eventVisibilities } from '../../domain/event/event.entity.ts';
import { reminderHours } from '../../domain/event/reminder.ts';
import { questionList } from '../../domain/form/question.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { accentColor } from '../../domain/organization/organization.input.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { subscriptionChangeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { changedNow } from '../../engine/columns.ts';
import { emailAddress } from '../../kernel/input/email-address.ts';
import { webAddress } from '../../kernel/input/web-address.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { id, integer, name, object, slug, webAddress as storedAddress, text, timestamp, timezone } from './values.ts';

interface Table {
  table: string;
  /** The columns that identify a row; `id` if absent. */
  identity?: readonly string[];
  /** The keys of a row in a document, which are columns. An omitted key keeps its value, or gets its default in a new row. */
  keys: Readonly<Record<string, z.ZodType>>;
  /** Keys that are no columns. */
  unstored?: readonly string[];
  /** SQL of computed columns. `given` is the row as JSON, `old` the existing row, and `"row"` the two merged. */
  computed?: Readonly<Record<string, string>>;
}

/** The time of the import, as PostgreSQL reads it. */
const now = timestamp.default('now');
const version = integer(1, 2_147_483_647);
const description = text(0, 20_000).nullish();

/** The sections of a document, in the order in which foreign keys allow rows to be written. */
export const sections = [
  ...(['organizations', 'users', 'memberships', 'events', 'forms', 'former_slugs'] as const),
  ...(['subscriptions', 'changes'] as const),
] as const;
export type ImportSection = (typeof sections)[number];

/** See guides/import-and-export.md#imports. */
export const tables: Record<ImportSection, Table> = {
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
    computed: {
      // added by `readDocument` and `hashPasswords`
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
    computed: {
      // as for an event that becomes active or moves with less than a day left (domain/event/reminder.ts)
      reminded_start: `case when "row".status = 1 and "row".date_start < now() + interval '${reminderHours} hours'
        and (old.status, old.date_start) is distinct from ("row".status, "row".date_start)
        then "row".date_start else old.reminded_start end`,
    },
  },
  forms: { table: 'form_version', keys: { event_id: id, version, questions: questionList } },
  former_slugs: {
    table: 'event_slug',
    identity: ['organization_id', 'slug'],
    keys: { organization_id: id, slug, event_id: id },
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
    computed: {
      organization_id: '(select e.organization_id from event e where e.id = "row".event_id)',
      // a waiting subscription without a time has waited since it was created (guides/import-and-export.md#imports)
      waiting_since: `case when "row".status = 'waitlisted'
        then coalesce("row".waiting_since, old.waiting_since, "row".created_at) end`,
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
  },
};

/** Keys that people may expect to work, and why they are refused. */
export const refusedKeys = new Map([['accepted_count', 'is counted from the subscriptions and cannot be given']]);
