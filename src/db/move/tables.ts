import type { ClientBase } from 'pg';

/** A table that has rows of organizations, as the catalogue tells. */
export interface OwnedTable {
  name: string;
  /** Its columns, without those that PostgreSQL computes. */
  columns: string[];
  /** Those of `columns` that have an `organization_id`; otherwise the table that does, and the column that refers to it. */
  owner: { parent: string; column: string } | null;
  /** The tables that its foreign keys refer to. */
  refers: string[];
}

/** The tables with rows of an organization that do not move, and why. */
export const leftBehind: Readonly<Record<string, string>> = {
  change: 'its numbers are those of transactions of this server: the log begins anew',
  change_floor: 'is written anew, where the log begins',
  one_time_token: 'a mailed link of a person, who signs in anew',
  pending_sign_up: 'a sign-up that was not completed, which the person repeats',
  public_revision: 'counts anew, from higher than any that was given out',
};

/**
 * What of a table goes along, where it is not just the rows of the organization. `shared` rows may have come with an earlier move, and then
 * stay as they are.
 */
export const special: Readonly<Record<string, { where?: (id: string) => string; shared?: boolean }>> = {
  // entries about people, which their organizations share (note 0024)
  audit_entry: {
    where: (id) => `t.organization_id = ${id} or t.organization_id is null and t.person_id in (
      select user_id from membership where organization_id = ${id}
      union select user_id from former_membership where organization_id = ${id})`,
    shared: true,
  },
  // the mails of invitations name no organization
  mail_job: {
    where: (id) => `t.organization_id = ${id} or t.organization_id is null and t.kind = 'invitation'
      and t.data->>'invitationId' in (select id::text from invitation where organization_id = ${id})`,
  },
};

/** Values that are not those of the source. Numbers of a sequence become lower than any that the target draws, in their order. */
export const changed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // a trigger counts as the subscriptions come
  event: { accepted_count: '0' },
  mail_job: { position: 't.position - (select last_value from mail_job_position_seq) - 1' },
  notice_fan_out: { position: 't.position - (select last_value from mail_job_position_seq) - 1' },
  webhook_due: { seq: 't.seq - (select last_value from change_seq_seq) - 1' },
  webhook_delivery: { seq: 't.seq - (select last_value from change_seq_seq) - 1' },
  // reads from the beginning of the new log, which tells receivers to read the lists
  webhook: {
    place: 'null',
    place_height: '-4',
    place_open: `'{}'`,
    place_from: `'0'`,
    place_to: `'0'`,
    place_at: 'to_timestamp(0)',
    unread: 'true',
  },
};

/** The columns of a table, without those that PostgreSQL computes, as an expression. */
export function columnsOf(table: string): string {
  return `(select array_agg(a.attname::text order by a.attnum) from pg_attribute a
    where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')`;
}

/** All tables with rows of organizations and `organization` itself, each after those that it refers to. */
export async function ownedTables(client: ClientBase): Promise<OwnedTable[]> {
  const { rows } = await client.query<OwnedTable>(`with recursive owned as (
      select attrelid as id from pg_attribute join pg_class c on c.oid = attrelid
        where attname = 'organization_id' and relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      union
      select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f'
    ), every as (select id from owned union select 'organization'::regclass::oid)
    select c.relname as name,
      ${columnsOf('c.oid')} as columns,
      case when c.relname <> 'organization' and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id'
        ) then (
          select json_build_object('parent', p.relname, 'column', k.attname) from pg_constraint f
          join pg_class p on p.oid = f.confrelid
          join pg_attribute o on o.attrelid = p.oid and o.attname = 'organization_id'
          join pg_attribute k on k.attrelid = f.conrelid and k.attnum = f.conkey[1]
          where f.contype = 'f' and f.conrelid = c.oid order by p.relname limit 1
        ) end as owner,
      (select coalesce(array_agg(distinct p.relname::text), '{}') from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid and p.oid <> c.oid) as refers
    from every join pg_class c on c.oid = every.id order by c.relname`);
  return inOrder(rows);
}

function inOrder(tables: OwnedTable[]): OwnedTable[] {
  const names = new Set(tables.map(({ name }) => name));
  const sorted: OwnedTable[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const done = new Set(sorted.map(({ name }) => name));
    const free = rest.filter(({ refers }) => refers.every((each) => !names.has(each) || done.has(each)));
    if (free.length === 0) throw new Error(`These tables refer to each other: ${rest.map(({ name }) => name).join()}`);
    sorted.push(...free);
    rest = rest.filter((each) => !free.includes(each));
  }
  return sorted;
}

/** The rows of a table that go along with an organization: a select of its columns, with their values in the target. */
export function rowsOf({ name, columns, owner }: OwnedTable, organizationId: string): string {
  const id = `'${organizationId}'::uuid`;
  const values = columns.map((column) => changed[name]?.[column] ?? `t."${column}"`).join(', ');
  return `select ${values} from "${name}" t where ${special[name]?.where?.(id) ?? conditionOf(name, owner, id)}`;
}

function conditionOf(name: string, owner: OwnedTable['owner'], id: string): string {
  if (name === 'organization') return `t.id = ${id}`;
  if (owner) return `t."${owner.column}" in (select id from "${owner.parent}" where organization_id = ${id})`;
  return `t.organization_id = ${id}`;
}
