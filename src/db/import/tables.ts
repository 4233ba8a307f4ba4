import { eventRegistrations, eventVisibilities } from '../../domain/event/event.entity.ts';
import { reminderHours } from '../../domain/event/reminder.ts';
import { signupPolicies } from '../../domain/organization/organization.entity.ts';
import { accentColor } from '../../domain/organization/organization.input.ts';
import { subscriptionStatuses } from '../../domain/subscription/subscription.entity.ts';
import { subscriptionChangeKinds } from '../../domain/subscription/subscription-change.table.ts';
import { changedNow } from '../../engine/columns.ts';
import { webAddress } from '../../kernel/input/web-address.ts';
import { organizationRoles } from '../../kernel/request.ts';
import * as read from './values.ts';

/** A key of a row in a document, a column of its table, or both. */
export interface Column {
  /** Reads the key; absent if no key gives the column. */
  read?: read.Reader;
  required?: true;
  stored?: Stored;
}

interface Stored {
  type: string;
  /** SQL for a new row that omits the key; absent if the key is always present. */
  default?: string;
  /** SQL of the value if it is not simply that of the key. `given` is the row as JSON, `old` the existing row. */
  value?: string;
}

const required = (reader: read.Reader, type: string): Column => ({ read: reader, required: true, stored: { type } });
const optional = (reader: read.Reader, type: string, otherwise: string): Column => ({
  read: reader,
  stored: { type, default: otherwise },
});
const nullable = (reader: read.Reader, type: string) => optional(read.nullable(reader), type, 'null');
const computed = (type: string, value: string): Column => ({ stored: { type, value } });

const id = required(read.idValue, 'uuid');
const name = required(read.name, 'text');
const slug = optional(read.slug, 'text', 'null');
const now = optional(read.timestampValue, 'timestamptz', 'now()');

/** The sections of a document, in the order in which foreign keys allow rows to be written. */
export const sections = [
  ...(['organizations', 'users', 'memberships', 'events', 'forms', 'former_slugs'] as const),
  ...(['subscriptions', 'changes'] as const),
] as const;
export type ImportSection = (typeof sections)[number];

/** The rows of each section (interface/loading-data.md#imports). A key that is not listed is a fault. */
export const tables: Record<ImportSection, { table: string; columns: Record<string, Column> }> = {
  organizations: {
    table: 'organization',
    columns: {
      id,
      name,
      slug,
      signup: optional(read.oneOf(signupPolicies), 'text', `'open'`),
      description: nullable(read.textValue(0, 20_000), 'text'),
      website: nullable(read.valid(webAddress), 'text'),
      contact_email: nullable(read.email, 'text'),
      accent: nullable(read.valid(accentColor), 'text'),
      version: optional(read.integer(1, 2_147_483_647), 'int', '1'),
      created_at: now,
    },
  },
  users: {
    table: 'user',
    columns: {
      id,
      email: required(read.nullable(read.email), 'text'),
      // computed from the address when the document is read
      mailbox: { stored: { type: 'text' } },
      name,
      avatar_url: nullable(read.webAddressValue, 'text'),
      password: { read: read.textValue(8, 256) },
      // hashed before the rows are written
      password_hash: { stored: { type: 'text', default: 'null' } },
      verified: { read: read.boolean },
      verified_at: computed(
        'timestamptz',
        `case (given->>'verified')::boolean when true then coalesce(old.verified_at, now()) when false then null
          else old.verified_at end`,
      ),
      created_at: now,
      updated_at: computed('timestamptz', changedNow('old').sql),
    },
  },
  memberships: {
    table: 'membership',
    columns: {
      organization_id: id,
      user_id: id,
      role: required(read.oneOf(organizationRoles), 'text'),
      created_at: now,
    },
  },
  events: {
    table: 'event',
    columns: {
      id,
      organization_id: id,
      name,
      slug,
      description: nullable(read.textValue(0, 20_000), 'text'),
      status: optional(read.integer(0, 3), 'smallint', '0'),
      date_start: required(read.timestampValue, 'timestamptz'),
      date_end: required(read.timestampValue, 'timestamptz'),
      timezone: optional(read.timezone, 'text', `'UTC'`),
      location: nullable(read.textValue(0, 20_000), 'text'),
      capacity: nullable(read.integer(0, 2_147_483_647), 'int'),
      visibility: optional(read.oneOf(eventVisibilities), 'text', `'organization'`),
      registration: optional(read.oneOf(eventRegistrations), 'text', `'open'`),
      waiting_list: optional(read.boolean, 'boolean', 'true'),
      version: optional(read.integer(1, 2_147_483_647), 'int', '1'),
      // as for an event that becomes active or moves with less than a day left (domain/event/reminder.ts)
      reminded_start: computed(
        'timestamptz',
        `case when coalesce((given->>'status')::smallint, old.status, 0) = 1
            and (given->>'date_start')::timestamptz < now() + interval '${reminderHours} hours'
            and (old.status, old.date_start) is distinct from (1::smallint, (given->>'date_start')::timestamptz)
          then (given->>'date_start')::timestamptz else old.reminded_start end`,
      ),
      created_at: now,
      updated_at: now,
    },
  },
  forms: {
    table: 'form_version',
    columns: {
      event_id: id,
      version: required(read.integer(1, 2_147_483_647), 'int'),
      questions: required(read.questions, 'jsonb'),
    },
  },
  former_slugs: {
    table: 'event_slug',
    columns: { organization_id: id, slug: required(read.slug, 'text'), event_id: id },
  },
  subscriptions: {
    table: 'subscription',
    columns: {
      id,
      event_id: id,
      organization_id: computed(
        'uuid',
        `(select e.organization_id from event e where e.id = (given->>'event_id')::uuid)`,
      ),
      user_id: id,
      status: optional(read.oneOf(subscriptionStatuses), 'text', `'pending'`),
      answers: nullable(read.object, 'jsonb'),
      form_version: nullable(read.integer(1, 2_147_483_647), 'int'),
      // a waiting subscription without a time has waited since it was created (interface/loading-data.md#imports)
      waiting_since: {
        read: read.nullable(read.timestampValue),
        stored: {
          type: 'timestamptz',
          value: `case when coalesce(given->>'status', old.status, 'pending') = 'waitlisted' then coalesce(
            (given->>'waiting_since')::timestamptz, old.waiting_since, (given->>'created_at')::timestamptz, old.created_at, now()
          ) end`,
        },
      },
      checked_in_at: nullable(read.timestampValue, 'timestamptz'),
      // what a guest proved and typed does not pass to another user to whom an import gives the subscription
      mailbox_proven: computed(
        'boolean',
        `coalesce(old.user_id = (given->>'user_id')::uuid and old.mailbox_proven, false)`,
      ),
      guest_name: {
        read: read.nullable(read.name),
        stored: {
          type: 'text',
          value: `case when given ? 'guest_name' then given->>'guest_name'
            when old.user_id = (given->>'user_id')::uuid then old.guest_name end`,
        },
      },
      created_at: now,
      updated_at: now,
    },
  },
  changes: {
    table: 'subscription_change',
    columns: {
      id,
      subscription_id: id,
      kind: optional(read.oneOf(subscriptionChangeKinds), 'text', `'status'`),
      status_from: nullable(read.oneOf(subscriptionStatuses), 'text'),
      status_to: required(read.oneOf(subscriptionStatuses), 'text'),
      // whoever it was need not be here
      actor_id: nullable(read.idValue, 'uuid'),
      created_at: now,
    },
  },
};

/** Keys that people may expect to work, and why they are refused. */
export const refusedKeys = new Map([['accepted_count', 'is counted from the subscriptions and cannot be given']]);
