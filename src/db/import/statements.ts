import { reminderHours } from '../../domain/event/reminder.ts';
import type { Section } from './tables.ts';

interface Target {
  table: string;
  columns: Record<string, StoredColumn>;
}

interface StoredColumn {
  type: string;
  /** SQL for a new row that omits the key; absent if the key is required. */
  default?: string;
  /** SQL of the value if it is not the key's own. `given` is the row as JSON, `old` the existing row. */
  value?: string;
}

const uuid = { type: 'uuid' };
const requiredText = { type: 'text' };
const nullableText = { type: 'text', default: 'null' };
const nullableTimestamp = { type: 'timestamptz', default: 'null' };
const now = { type: 'timestamptz', default: 'now()' };

const targets: Record<Exclude<Section, 'memberships'>, Target> = {
  organizations: {
    table: '"organization"',
    columns: {
      id: uuid,
      name: requiredText,
      slug: nullableText,
      signup: { type: 'text', default: `'open'` },
      created_at: now,
    },
  },
  users: {
    table: '"user"',
    columns: {
      id: uuid,
      email: requiredText,
      mailbox: requiredText,
      name: requiredText,
      avatar_url: nullableText,
      password_hash: nullableText,
      verified_at: {
        type: 'timestamptz',
        value: `case (given->>'verified')::boolean when true then coalesce(old.verified_at, now()) when false then null
          else old.verified_at end`,
      },
      created_at: now,
      updated_at: { type: 'timestamptz', value: 'now()' },
    },
  },
  events: {
    table: '"event"',
    columns: {
      id: uuid,
      organization_id: uuid,
      name: requiredText,
      slug: nullableText,
      description: nullableText,
      status: { type: 'smallint', default: '0' },
      date_start: { type: 'timestamptz' },
      date_end: { type: 'timestamptz' },
      timezone: { type: 'text', default: `'UTC'` },
      location: nullableText,
      capacity: { type: 'int', default: 'null' },
      visibility: { type: 'text', default: `'organization'` },
      registration: { type: 'text', default: `'open'` },
      waiting_list: { type: 'boolean', default: 'true' },
      // as for an event that becomes active, or moves, with less than a day left (domain/event/reminder.ts)
      reminded_start: {
        type: 'timestamptz',
        value: `case when coalesce((given->>'status')::smallint, old.status, 0) = 1
            and (given->>'date_start')::timestamptz < now() + interval '${reminderHours} hours'
            and (old.status, old.date_start) is distinct from (1::smallint, (given->>'date_start')::timestamptz)
          then (given->>'date_start')::timestamptz else old.reminded_start end`,
      },
      created_at: now,
      updated_at: now,
    },
  },
  subscriptions: {
    table: '"subscription"',
    columns: {
      id: uuid,
      event_id: uuid,
      user_id: uuid,
      status: { type: 'text', default: `'pending'` },
      answers: { type: 'jsonb', default: 'null' },
      form_version: { type: 'int', default: 'null' },
      // a waiting subscription without a time has waited since it was created (decisions §9)
      waiting_since: {
        type: 'timestamptz',
        value: `case when coalesce(given->>'status', old.status, 'pending') = 'waitlisted' then coalesce(
            (given->>'waiting_since')::timestamptz, old.waiting_since, (given->>'created_at')::timestamptz, old.created_at, now()
          ) end`,
      },
      checked_in_at: nullableTimestamp,
      // what a guest proved and typed is theirs, not somebody else's to whom an import gives the subscription
      mailbox_proven: {
        type: 'boolean',
        value: `coalesce(old.user_id = (given->>'user_id')::uuid and old.mailbox_proven, false)`,
      },
      guest_name: {
        type: 'text',
        value: `case when old.user_id = (given->>'user_id')::uuid then old.guest_name end`,
      },
      created_at: now,
      updated_at: now,
    },
  },
};

/**
 * The statement that writes a chunk of a section's rows, as one JSON list ($1). An omitted key keeps its value in an
 * existing row and gets its default in a new one; null is a value like any other.
 */
export function upsert(section: Section): string {
  if (section === 'memberships') {
    return `insert into "membership" (id, organization_id, user_id, role)
      select (given->>'id')::uuid, (given->>'organization_id')::uuid, (given->>'user_id')::uuid, given->>'role'
      from jsonb_array_elements($1::jsonb) as given
      on conflict (organization_id, user_id) do update set role = excluded.role`;
  }
  const { table, columns } = targets[section];
  const names = Object.keys(columns);
  const values = Object.entries(columns).map(([name, column]) => selected(name, column));
  const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  if (section === 'events') updates.push(versionUpdate(names));
  return `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')}
    from jsonb_array_elements($1::jsonb) as given left join ${table} old on old.id = (given->>'id')::uuid
    on conflict (id) do update set ${updates.join(', ')}`;
}

/** Increments the version if anything that clients see, but the time of the change, differs. */
function versionUpdate(names: readonly string[]): string {
  const compared = names.filter((name) => !['id', 'updated_at', 'reminded_start'].includes(name));
  const row = (of: string) => `(${compared.map((name) => `${of}.${name}`).join(', ')})`;
  return `version = "event".version + case when ${row('"event"')} is distinct from ${row('excluded')} then 1 else 0 end`;
}

function selected(name: string, column: StoredColumn): string {
  if (column.value) return column.value;
  const given = column.type === 'jsonb' ? `nullif(given->'${name}', 'null')` : `(given->>'${name}')::${column.type}`;
  if (column.default === undefined) return given;
  return `case when given ? '${name}' then ${given} when old.id is null then ${column.default} else old.${name} end`;
}
