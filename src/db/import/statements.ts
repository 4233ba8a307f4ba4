import { changedNow } from '../../engine/columns.ts';
import { type Column, type ImportSection, tables } from './tables.ts';

/**
 * The statement that writes a chunk of a section's rows, as one JSON list ($1). An omitted key keeps its value in an
 * existing row and gets its default in a new one; null is a value like any other.
 */
export function upsert(section: ImportSection): string {
  const special = specials[section];
  if (special) return special;
  const table = `"${tables[section].table}"`;
  const stored = Object.entries(tables[section].columns).flatMap(([name, column]) =>
    column.stored ? [{ name, value: selected(name, column.stored) }] : [],
  );
  const names = stored.map(({ name }) => name);
  const values = stored.map(({ value }) => value);
  const following = names.includes('version') ? changeUpdates(table, names) : {};
  const updates = names
    .filter((name) => name !== 'id')
    .map((name) => `${name} = ${following[name] ?? `excluded.${name}`}`);
  return `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')}
    from jsonb_array_elements($1::jsonb) as given left join ${table} old on old.id = (given->>'id')::uuid
    on conflict (id) do update set ${updates.join(', ')}`;
}

/** The statements of sections whose rows have no id. */
const specials: Partial<Record<ImportSection, string>> = {
  memberships: `insert into "membership" (id, organization_id, user_id, role, created_at)
    select (given->>'id')::uuid, (given->>'organization_id')::uuid, (given->>'user_id')::uuid, given->>'role',
      coalesce((given->>'created_at')::timestamptz, old.created_at, now())
    from jsonb_array_elements($1::jsonb) as given left join "membership" old
      on (old.organization_id, old.user_id) = ((given->>'organization_id')::uuid, (given->>'user_id')::uuid)
    on conflict (organization_id, user_id) do update set role = excluded.role, created_at = excluded.created_at`,
  // questions are stored once for the organization, as `writeForm` does
  forms: `with given as (
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
    on conflict (event_id, version) do update set organization_id = excluded.organization_id, hash = excluded.hash`,
  former_slugs: `insert into "event_slug" (organization_id, slug, event_id)
    select (given->>'organization_id')::uuid, given->>'slug', (given->>'event_id')::uuid
    from jsonb_array_elements($1::jsonb) as given
    on conflict (organization_id, slug) do update set event_id = excluded.event_id`,
};

/**
 * The columns that follow by themselves if anything that clients see changes (interface/loading-data.md#imports). A given
 * version is that of the export; none goes back to one that named other values.
 */
function changeUpdates(table: string, names: readonly string[]): Record<string, string> {
  const compared = names.filter((name) => !['id', 'version', 'updated_at', 'reminded_start'].includes(name));
  const row = (of: string) => `(${compared.map((name) => `${of}.${name}`).join(', ')})`;
  const changed = `${row(table)} is distinct from ${row('excluded')}`;
  const kept = `excluded.updated_at = ${table}.updated_at`;
  return {
    version: `greatest(excluded.version, ${table}.version + case when ${changed} then 1 else 0 end)`,
    updated_at: `case when ${kept} and ${changed} then ${changedNow(table).sql} else excluded.updated_at end`,
  };
}

function selected(name: string, column: NonNullable<Column['stored']>): string {
  if (column.value) return column.value;
  const given = column.type === 'jsonb' ? `nullif(given->'${name}', 'null')` : `(given->>'${name}')::${column.type}`;
  if (column.default === undefined) return given;
  return `case when given ? '${name}' then ${given} when old.id is null then ${column.default} else old.${name} end`;
}
