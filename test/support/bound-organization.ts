import type { ClientBase } from 'pg';

/** What a plan tells of each of its nodes, as far as it matters here. */
interface PlanNode {
  'Node Type': string;
  Operation?: string;
  'Relation Name'?: string;
  Filter?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'TID Cond'?: string;
  Plans?: PlanNode[];
}

/** A constant or a parameter, with a cast or without. */
const bound = /^\(?(?:\w+\.)?organization_id = (?:\$\d+|'[0-9a-f-]{36}'::uuid)\)?$/;

/**
 * The tables among these that a statement touches without naming one organization: those whose rows it looks for by
 * anything but `organization_id = value`, and those into which it inserts without that column.
 *
 * PostgreSQL's planner says so, since it knows what follows from what: that `a.organization_id = b.organization_id` binds
 * both if one is bound. A router of statements asks the same question in the same way.
 */
export async function unboundTables(client: ClientBase, text: string, tables: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query({ text: `explain (generic_plan, verbose, format json) ${text}` });
  const unbound = new Set<string>();
  const visit = (node: PlanNode) => {
    const relation = node['Relation Name'];
    if (relation && tables.has(relation) && !namesOne(node, relation, text)) unbound.add(relation);
    for (const child of node.Plans ?? []) visit(child);
  };
  for (const { Plan } of rows[0]['QUERY PLAN']) visit(Plan);
  return [...unbound].toSorted();
}

function namesOne(node: PlanNode, relation: string, text: string): boolean {
  if (node['Node Type'] === 'ModifyTable') return node.Operation !== 'Insert' || insertsInto(text, relation);
  const conditions = [node.Filter, node['Index Cond'], node['Recheck Cond'], node['TID Cond']];
  return conditions.flatMap((each) => (each ? conjuncts(each) : [])).some((each) => bound.test(each));
}

function insertsInto(text: string, relation: string): boolean {
  const columns = new RegExp(`insert into "?${relation}"?\\s*(?:as \\w+\\s*)?\\(([^)]*)\\)`, 'i').exec(text)?.[1];
  return columns?.includes('organization_id') ?? false;
}

/** The parts of a condition that all hold: `((a = 1) AND (b OR c))` has two. */
function conjuncts(condition: string): string[] {
  const inner = /^\((.*)\)$/s.exec(condition)?.[1] ?? condition;
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < inner.length; index += 1) {
    if (inner[index] === '(') depth += 1;
    else if (inner[index] === ')') depth -= 1;
    else if (depth === 0 && inner.startsWith(' OR ', index)) return [condition];
    else if (depth === 0 && inner.startsWith(' AND ', index)) {
      parts.push(inner.slice(start, index));
      start = index + ' AND '.length;
    }
  }
  return [...parts, inner.slice(start)];
}

/** A table in which the rows of organizations are. */
export interface TenantTable {
  name: string;
  /** Whether its rows name their organization. */
  column: 'required' | 'optional' | 'none';
}

/** The tables whose rows belong to an organization: they name it, or refer to a row of such a table. */
export async function tenantTables(client: ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(
    `with recursive owned as (
        select attrelid as id from pg_attribute join pg_class c on c.oid = attrelid
          where attname = 'organization_id' and relkind = 'r' and relnamespace = 'public'::regnamespace
        union
        select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f'
      )
      select relname as name, case when attnotnull then 'required' when attnotnull is null then 'none' else 'optional' end as column
      from owned join pg_class c on c.oid = owned.id
      left join pg_attribute on attrelid = c.oid and attname = 'organization_id'
      order by relname`,
  );
  return rows;
}
