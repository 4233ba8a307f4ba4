import { CompiledQuery } from 'kysely';
import type { Statement } from '#postgres-access';
import type { Orm } from '../../src/db/orm.ts';
import type { Database } from '../../src/engine/database.ts';

/** A node of a plan, as far as tests look at it. */
export interface Plan {
  'Node Type': string;
  'Plan Rows': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  /** Of each loop: a parallel scan has several. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** A node with all that are below it. */
export const allOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(allOf)];

/** How many rows these nodes looked at, those that they left out included. */
export function rowsOf(nodes: readonly Plan[]): number {
  return nodes.reduce((sum, node) => {
    const { 'Actual Rows': found = 0, 'Rows Removed by Filter': others = 0, 'Actual Loops': loops = 1 } = node;
    return sum + (found + others) * loops;
  }, 0);
}

/** A database that explains each statement, with the values that it is run with, before it runs it; gathers the plans. */
export function explainingDatabase(em: Orm['em'], plans: Plan[], explain: string): Database {
  const kysely = em.getKysely();
  const rows = async <Row>({ sql, parameters }: Statement<Row>) => {
    const explained = await kysely.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
    for (const { 'QUERY PLAN': found } of explained.rows as { 'QUERY PLAN': { Plan: Plan }[] }[])
      plans.push(...found.map(({ Plan: root }) => root));
    return (await kysely.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows as Row[];
  };
  return {
    rows,
    row: async <Row>(statement: Statement<Row>) => (await rows<Row>(statement))[0],
    run: async (statement) => void (await rows(statement)),
    transaction: () => Promise.reject(new Error('there are no transactions here')),
  };
}
