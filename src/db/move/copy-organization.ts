import type { ClientBase } from 'pg';
import { copyRows } from './copy-rows.ts';
import { answersFor, peopleOf } from './people.ts';
import { columnsOf, leftBehind, type OwnedTable, rowsOf, special } from './tables.ts';

/** How many rows of each table came. */
export type Copied = Record<string, number>;

/**
 * Copies an organization within a snapshot of the source and a transaction of the target. The triggers of the target do their part: they
 * count places, raise the revision of public pages, and tell processes about access.
 */
export async function copyOrganization(
  source: ClientBase,
  target: ClientBase,
  { id, tables, began }: { id: string; tables: readonly OwnedTable[]; began: Date },
): Promise<Copied> {
  const copied: Copied = {};
  const columns = async (name: string) => {
    const { rows } = await source.query<{ columns: string[] }>(
      `select ${columnsOf(`'"${name}"'::regclass`)} as columns`,
    );
    return rows[0]?.columns ?? [];
  };
  const organization = tables.filter(({ name }) => name === 'organization');
  const others = tables.filter(({ name }) => name !== 'organization' && !(name in leftBehind));
  for (const table of organization) copied[table.name] = await copyTable(source, target, table, rowsOf(table, id));
  for (const [name, select] of [
    ['user', peopleOf(id)],
    ['idempotency_key', answersFor(id)],
  ] as const) {
    const named = await columns(name);
    const own = `select ${named.map((column) => `r."${column}"`).join(', ')} from (${select}) r`;
    copied[name] = await copyShared(source, target, { name, columns: named }, own);
  }
  for (const table of others) {
    const copy = special[table.name]?.shared ? copyShared : copyTable;
    copied[table.name] = await copy(source, target, table, rowsOf(table, id));
  }
  await beginLog(source, target, { id, began });
  // caches of pages that were given out here must not be confirmed there (note 0076)
  await target.query(
    `insert into public_revision (organization_id, revision) values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
      on conflict (organization_id) do update set revision = greatest(public_revision.revision, excluded.revision)`,
    [id],
  );
  await target.query('delete from organization_place where id = $1', [id]);
  return copied;
}

type Columns = Pick<OwnedTable, 'name' | 'columns'>;

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

async function copyTable(source: ClientBase, target: ClientBase, { name, columns }: Columns, select: string) {
  return await copyRows(source, target, { select, into: `"${name}" (${list(columns)})` });
}

/** Rows that may be there already, which stay as they are. Returns how many came. */
async function copyShared(source: ClientBase, target: ClientBase, { name, columns }: Columns, select: string) {
  const coming = `coming_${name}`;
  await target.query(`create temporary table "${coming}" (like "${name}") on commit drop`);
  await copyRows(source, target, { select, into: `"${coming}" (${list(columns)})` });
  const { rowCount } = await target.query(
    `insert into "${name}" (${list(columns)}) select ${list(columns)} from "${coming}" on conflict (id) do nothing`,
  );
  return rowCount ?? 0;
}

/**
 * The log begins anew, at a number of the target's sequence that is no change of either: cursors from before lie below it and have
 * expired, or above it and know a change that is not there (note 0058).
 */
async function beginLog(source: ClientBase, target: ClientBase, { id, began }: { id: string; began: Date }) {
  for (;;) {
    const { rows } = await target.query<{ seq: string }>(`select nextval('change_seq_seq')::text as seq`);
    const seq = rows[0]?.seq;
    const { rowCount } = await source.query(
      `select from change where organization_id = $1 and seq = $2::bigint
        union all select from change_floor where organization_id = $1 and seq = $2::bigint`,
      [id, seq],
    );
    if (rowCount) continue;
    // the later of both clocks: a cursor from before the fence must not look younger
    await target.query(
      `insert into change_floor (organization_id, seq, updated_at) values ($1, $2::bigint, greatest($3::timestamptz, clock_timestamp()))`,
      [id, seq, began],
    );
    return;
  }
}
