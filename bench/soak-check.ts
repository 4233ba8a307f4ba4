import type { PoolClient } from 'pg';
import type { Crowd } from './crowd.ts';
import type { StreamReader } from './stream-reader.ts';
import { headersOf } from './tokens.ts';

/** A row of the log, in the order of the numbers. */
export interface Logged {
  id: string;
  seq: string;
  organization_id: string;
  object: string;
  user_id: string | null;
  member_op: string | null;
  op: string | null;
}

/** A stream, and the ids of the changes that it told. */
export interface SoakReader {
  organization: string;
  member: string;
  stream: StreamReader;
  told: string[];
  opened: number;
}

export async function logSince(client: PoolClient, organizations: string[], seq: string): Promise<Logged[]> {
  const { rows } = await client.query<Logged>(
    `select id, seq, organization_id, kind || ' ' || object_id as object, user_id, op, member_op from change
      where organization_id = any($1::uuid[]) and seq > $2 order by seq`,
    [organizations, seq],
  );
  return rows;
}

/** What is wrong with `ids`: each of `wanted` has to be told once, and the changes of an object in order. */
function faultsOf(whose: string, ids: readonly string[], wanted: Logged[]): string[] {
  const seen = new Set(ids);
  const missing = wanted.filter(({ id }) => !seen.has(id)).length;
  const known = new Map(wanted.map((row, index) => [row.id, { index, object: row.object }]));
  const latest = new Map<string, number>();
  let disordered = 0;
  for (const id of ids) {
    const { index, object } = known.get(id) ?? { index: Number.POSITIVE_INFINITY, object: '' };
    if (index < (latest.get(object) ?? -1)) disordered += 1;
    latest.set(object, index);
  }
  const strange = [...seen].filter((id) => !known.has(id)).length;
  const twice = ids.length - seen.size;
  if (missing + strange + twice + disordered === 0) return [];
  return [`${whose}: ${missing} missing, ${twice} twice, ${strange} not of its view, ${disordered} out of order`];
}

export function faultsOfReaders(readers: SoakReader[], log: Logged[]): string[] {
  const byOrganization = Map.groupBy(log, (row) => row.organization_id);
  return readers.flatMap(({ organization, member, told }) => {
    const seen = (row: Logged) => row.member_op !== null && (row.user_id === null || row.user_id === member);
    return faultsOf(`the stream of ${member}`, told, (byOrganization.get(organization) ?? []).filter(seen));
  });
}

export function faultsOfHooks(got: Map<string, Set<string>>, log: Logged[]): string[] {
  return [...got].flatMap(([organization, ids]) =>
    faultsOf(
      `the webhook of ${organization}`,
      [...ids],
      log.filter((row) => row.organization_id === organization && row.op !== null),
    ),
  );
}

/** Walks the whole feed of each organization as a manager. */
export async function faultsOfFeed(url: string, crowds: Crowd[], log: Logged[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { organization, managers } of crowds) {
    const headers = await headersOf(managers[0] as string, organization);
    const ids: string[] = [];
    let query = 'since=start';
    for (let more = true; more; ) {
      const answer = await fetch(`${url}/changes?limit=50&${query}`, { headers });
      if (!answer.ok) throw new Error(`A page of the feed is answered ${answer.status}: ${await answer.text()}`);
      const page = (await answer.json()) as { items: { id: string }[]; has_more: boolean; next: string };
      ids.push(...page.items.map(({ id }) => id));
      query = `token=${page.next}`;
      more = page.has_more;
    }
    const rows = log.filter((row) => row.organization_id === organization && row.op !== null);
    faults.push(...faultsOf(`the feed of ${organization}`, ids, rows));
  }
  return faults;
}
