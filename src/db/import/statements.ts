import { z } from 'zod';
import { changedNow } from '../../engine/columns.ts';
import { type ImportSection, tables } from './tables.ts';

/** Writes rows from a JSON list ($1). An omitted key keeps its value in an existing row and gets its default in a new one. */
export function upsert(section: ImportSection): string {
  if (section === 'forms') return upsertForms;
  const { table: name, identity = ['id'], keys, unstored = [], computed = {} } = tables[section];
  const table = `"${name}"`;
  const stored = Object.keys(keys).filter((key) => !unstored.includes(key));
  const columns = [...new Set([...stored, ...Object.keys(computed)])];
  const defaults = Object.entries(keys).flatMap(([key, schema]) =>
    schema instanceof z.ZodDefault ? [[key, schema.def.defaultValue]] : [],
  );
  const following = columns.includes('version') ? changeUpdates(table, columns) : {};
  const updates = columns
    .filter((column) => ![...identity, 'id'].includes(column))
    .map((column) => `${column} = ${following[column] ?? `excluded.${column}`}`);
  // PostgreSQL knows the types of the columns
  return `insert into ${table} (${columns.join(', ')})
    select ${columns.map((column) => computed[column] ?? `"row".${column}`).join(', ')}
    from jsonb_array_elements($1::jsonb) as given
    cross join jsonb_populate_record(null::${table}, given) as named
    left join ${table} old on ${identity.map((column) => `old.${column} = named.${column}`).join(' and ')}
    cross join jsonb_populate_record(old,
      case when old.${identity[0]} is null then '${JSON.stringify(Object.fromEntries(defaults))}'::jsonb || given else given end) as "row"
    on conflict (${identity.join(', ')}) do update set ${updates.join(', ')}`;
}

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

/** The columns that follow changes that clients see (guides/import-and-export.md#imports); a version never goes back. */
function changeUpdates(table: string, names: readonly string[]): Record<string, string> {
  const compared = names.filter((name) => !['id', 'version', 'updated_at', 'reminded_start'].includes(name));
  const row = (of: string) => `(${compared.map((name) => `${of}.${name}`).join(', ')})`;
  const changed = `${row(table)} is distinct from ${row('excluded')}`;
  const kept = `excluded.updated_at = ${table}.updated_at`;
  return {
    version: `greatest(excluded.version, ${table}.version + case when ${changed} then 1 else 0 end)`,
    updated_at: `case when ${kept} and ${changed} then ${changedNow(table)} else excluded.updated_at end`,
  };
}
