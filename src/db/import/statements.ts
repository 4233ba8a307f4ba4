import { type Column, type Section, tables } from './tables.ts';

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
  const table = `"${tables[section].table}"`;
  const stored = Object.entries(tables[section].columns).flatMap(([name, column]) =>
    column.stored ? [{ name, value: selected(name, column.stored) }] : [],
  );
  const names = stored.map(({ name }) => name);
  const values = stored.map(({ value }) => value);
  const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  if (section === 'events') updates.push(versionUpdate(names));
  return `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')}
    from jsonb_array_elements($1::jsonb) as given left join ${table} old on old.id = (given->>'id')::uuid
    on conflict (id) do update set ${updates.join(', ')}`;
}

/** Increments the version if anything that clients see, other than the time of the change, differs. */
function versionUpdate(names: readonly string[]): string {
  const compared = names.filter((name) => !['id', 'updated_at', 'reminded_start'].includes(name));
  const row = (of: string) => `(${compared.map((name) => `${of}.${name}`).join(', ')})`;
  return `version = "event".version + case when ${row('"event"')} is distinct from ${row('excluded')} then 1 else 0 end`;
}

function selected(name: string, column: NonNullable<Column['stored']>): string {
  if (column.value) return column.value;
  const given = column.type === 'jsonb' ? `nullif(given->'${name}', 'null')` : `(given->>'${name}')::${column.type}`;
  if (column.default === undefined) return given;
  return `case when given ? '${name}' then ${given} when old.id is null then ${column.default} else old.${name} end`;
}
