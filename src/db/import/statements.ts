import type { Section } from './tables.ts';

interface Target {
  table: string;
  columns: Record<string, StoredColumn>;
}

interface StoredColumn {
  type: string;
  /** SQL for a new row that leaves the key out; absent where the key is required. */
  default?: string;
  /** SQL of the value where it is not the key's own. `given` is the row as JSON, `old` the row that is there. */
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
      checked_in_at: nullableTimestamp,
      created_at: now,
      updated_at: now,
    },
  },
};

/**
 * The statement that writes a chunk of a section's rows, as one JSON list ($1). A key that a row leaves out keeps its
 * value where the row is there already and takes its default where it is new; null is a value as any other.
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
  return `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')}
    from jsonb_array_elements($1::jsonb) as given left join ${table} old on old.id = (given->>'id')::uuid
    on conflict (id) do update set ${updates.join(', ')}`;
}

function selected(name: string, column: StoredColumn): string {
  if (column.value) return column.value;
  const given = column.type === 'jsonb' ? `nullif(given->'${name}', 'null')` : `(given->>'${name}')::${column.type}`;
  if (column.default === undefined) return given;
  return `case when given ? '${name}' then ${given} when old.id is null then ${column.default} else old.${name} end`;
}
