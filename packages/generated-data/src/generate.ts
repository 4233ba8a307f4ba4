import type { PoolClient } from 'pg';
import { suspendIndexes, vacuum } from './indexes.ts';
import { accountRoles, countAccepted, functions, type GenerateCounts, organizationId, stages } from './statements.ts';

const chunkSize = 50_000;
/** Public, since generated data are meant for local use. */
export const generatedPassword = 'generated-events-2468';

/** Shows how far the generation is. */
interface Progress {
  /** Begins a stage of `total` steps. */
  begin(stage: string, total: number): void;
  advance(steps: number): void;
  end(): void;
}

interface GenerateOptions {
  counts: GenerateCounts;
  seed: number;
  /** Of the accounts; pass one that is not public if others can reach the service. */
  password?: string;
  hashPassword: (password: string) => Promise<string>;
  progress: Progress;
}

interface Generated {
  /** The organization that has half of everything. */
  organizationId: string;
  accounts: { role: string; email: string; password: string }[];
}

/**
 * Generates a large data set inside the database, in one transaction that locks the tables. The same counts and seed
 * give the same data.
 *
 * @param client without statement timeout
 * @throws Error if this seed was already used
 */
export async function generate(client: PoolClient, options: GenerateOptions): Promise<Generated> {
  const { counts, seed, password = generatedPassword, hashPassword, progress } = options;
  const passwordHash = await hashPassword(password);
  // the vacuum at the end marks only flushed rows as all-visible
  await client.query('set synchronous_commit = on');
  for (const statement of functions(seed)) await client.query(statement);
  await client.query('begin');
  let id: string;
  try {
    id = await fill(client, counts, seed, progress, passwordHash);
    await client.query('commit');
  } catch (error) {
    // the connection itself may have failed; report the first error
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await vacuum(client);
  const accounts = accountRoles.slice(0, counts.users);
  return {
    organizationId: id,
    accounts: accounts.map((role, index) => ({ role, email: `user-${index + 1}@seed-${seed}.example`, password })),
  };
}

async function fill(
  client: PoolClient,
  counts: GenerateCounts,
  seed: number,
  progress: Progress,
  passwordHash: string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select ${organizationId()} as id`);
  const id = rows[0]?.id ?? '';
  const there = await client.query('select from organization where id = $1 or slug = $2', [id, `generated-${seed}-1`]);
  if (there.rowCount) throw new Error(`The data of seed ${seed} already exist; use another seed.`);
  await client.query(`set local maintenance_work_mem = '512MB'`);
  const restore = await suspendIndexes(client);
  for (const { name, rows, statement } of stages(counts, seed)) {
    if (name === 'events') for (const prepare of countAccepted) await client.query(prepare);
    progress.begin(name, rows);
    for (let start = 1; start <= rows; start += chunkSize) {
      const end = Math.min(rows, start + chunkSize - 1);
      await client.query(statement, [start, end]);
      progress.advance(end - start + 1);
    }
  }
  // the log of changes tells nothing of generated data
  await client.query(
    `insert into change_floor (organization_id, seq, updated_at)
      select id, 0, now() from organization where slug like $1 on conflict do nothing`,
    [`generated-${seed}-%`],
  );
  const emails = accountRoles.map((_, index) => `user-${index + 1}@seed-${seed}.example`);
  await client.query('update "user" set password_hash = $1 where email = any($2)', [passwordHash, emails]);
  progress.begin('indexes', restore.length);
  for (const statement of restore) {
    await client.query(statement);
    progress.advance(1);
  }
  progress.end();
  return id;
}
