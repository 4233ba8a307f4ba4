import { sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import type { Database } from '../database.ts';
import { dueNow, jobs } from './job.table.ts';

/** The job that a process runs, and the number of the attempt. */
export type Claim = { id: string; attempts: number };

/** Seconds for which a claim is valid unless it is renewed. */
export const claimSeconds = 10;

export const lease = sql`now() + make_interval(secs => ${claimSeconds})`;

/** Ends a claim; without `seconds` the job is given up. */
export const postponement = prepared(
  (at: Claim & { seconds: number | null; counted: number; error: string | null; data: string | null }) =>
    jobs
      .updateTable('job')
      .set({ claimed: false, error: at.error, attempts: at.counted })
      .set({ due_at: sql`${dueNow} + make_interval(secs => ${at.seconds})` })
      .set({ data: sql`coalesce(${at.data}::jsonb, data)` })
      .where('id', '=', at.id)
      .where('attempts', '=', at.attempts),
);

/** Renews claims; returns the ids of those that still exist. Skips locked rows: others cannot claim them meanwhile. */
export async function renewClaims(db: Database, claims: readonly Claim[]): Promise<Set<string>> {
  const renewed = await db.rows(
    built(sql<{ id: string }>`with own as (
      select id from job join unnest(${claims.map(({ id }) => id)}::uuid[], ${claims.map(({ attempts }) => attempts)}::int[])
        as given (id, attempts) using (id, attempts) where job.claimed
    ), renewed as (
      update job set due_at = ${lease} where id in (
        select id from job where id in (select id from own) and claimed order by id for update skip locked
      )
    )
    select id from own`),
  );
  return new Set(renewed.map(({ id }) => id));
}
