import path from 'node:path';
import sql from 'sql-template-tag';
import { withClient } from '../src/db/client.ts';
import { generate } from '../src/db/generate/generate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createOrm } from '../src/db/orm.ts';
import { createProgress } from '../src/db/progress.ts';
import { row } from '../src/domain/database.ts';

export interface BenchCounts {
  organizations: number;
  users: number;
  events: number;
  subscriptions: number;
}

/** What the questions ask about: the large organization, a popular event, and a place deep in the list. */
export interface BenchData {
  url: string;
  organization: string;
  event: string;
  /** The key of the last item before page 5,000, of 20 items each. */
  deep: { time: string; id: string; offset: number };
  /** A range of starts that holds some 50,000 active events of a million. */
  range: { from: string; to: string };
  account: { email: string; password: string };
  postmaster: number | null;
  close(): Promise<void>;
}

const seed = 1;

/** Opens the database of the benchmark, which is its own, and fills it at the first run. */
export async function openBenchDatabase(counts: BenchCounts, given: string | null): Promise<BenchData> {
  const dataDir = path.resolve(import.meta.dirname, '..', `.data-bench-${counts.events}`);
  const database = await openDatabase({ url: given, replicaUrls: [], dataDir });
  const orm = await createOrm({ url: database.url, statementTimeout: 0 });
  const one = async <Row>(statement: ReturnType<typeof sql>) => (await row<Row>(orm.em.fork(), statement)) as Row;
  if (!(await one(sql`select 1 from event limit 1`))) {
    const progress = createProgress();
    await withClient(database.url, (client) => generate(client, counts, seed, progress)).finally(progress.end);
  }
  const { id: organization } = await one<{ id: string }>(
    sql`select organization_id as id from event group by 1 order by count(*) desc limit 1`,
  );
  const { id: event } = await one<{ id: string }>(
    sql`select t.id from (select * from event where organization_id = ${organization} order by date_start, id limit 2000) t
      join subscription s on s.event_id = t.id group by t.id order by abs(count(*) - 60), t.id limit 1`,
  );
  const offset = Math.min(99_980, Math.floor(counts.events / 4));
  const deep = await one<{ time: string; id: string }>(
    sql`select date_start::text as time, id from event where organization_id = ${organization} order by date_start, id offset ${offset} limit 1`,
  );
  const range = await one<{ from: string; to: string }>(
    sql`select percentile_disc(0.4) within group (order by date_start)::text as from,
      percentile_disc(0.55) within group (order by date_start)::text as to from event where organization_id = ${organization}`,
  );
  const { pid } = await one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  await orm.close(true);
  return {
    url: database.url,
    organization,
    event,
    deep: { ...deep, offset: offset + 1 },
    range: { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() },
    account: { email: `user-1@seed-${seed}.example`, password: 'generated-events-2468' },
    postmaster: given === null ? await parentOf(pid) : null,
    close: () => database.close(),
  };
}

async function parentOf(pid: number): Promise<number | null> {
  const { processTimes } = await import('./processes.ts');
  return processTimes(pid)?.parent ?? null;
}
