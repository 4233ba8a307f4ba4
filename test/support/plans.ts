import type { TestServer } from './server.ts';
import { recordReads, type Sent } from './statements.ts';

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

interface Client {
  query(text: string, values: unknown[]): Promise<{ rows: { 'QUERY PLAN': { Plan: Plan }[] }[] }>;
}

/** The plans of statements, with the values that they were sent with; `analyze` runs them. */
export async function explain(client: Client, sent: readonly Sent[], { analyze = false } = {}): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const { text, values } of sent) {
    const { rows } = await client.query(`explain (${analyze ? 'analyze, ' : ''}format json) ${text}`, values);
    plans.push(...rows.flatMap((row) => row['QUERY PLAN']).map(({ Plan: root }) => root));
  }
  return plans;
}

/** What is answered, and the plans of the statements that were sent for it. */
export async function plansFor<Result>(
  server: TestServer,
  client: Client,
  ask: () => Promise<Result>,
  analyze = false,
) {
  const { result, sent } = await recordReads(server.orm, ask);
  return { result, plans: await explain(client, sent, { analyze }) };
}
