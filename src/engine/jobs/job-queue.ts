import sql, { empty, type Sql } from 'sql-template-tag';
import type { Database, UnitOfWork } from '../database.ts';
import type { LaneName } from './job.table.ts';
import { JobTurns } from './job-turns.ts';

/** A job that this process has claimed. */
export interface ClaimedJob {
  id: string;
  kind: string;
  data: unknown;
  organization_id: string | null;
  /** Who created the organization. */
  maker_id: string | null;
  party: string;
  key: string | null;
  position: string;
  /** The number of attempts, including this one; it identifies the claim. */
  attempts: number;
  /** Whether the attempt before it is not known to have failed: the first one, or one whose process died. */
  isFresh: boolean;
}

/** A job that a claim examined, and what became of it. */
interface Examined extends ClaimedJob {
  outcome: 'claimed' | 'held' | 'merges' | 'waits';
  /** Seconds until the job that it waits for is due. */
  seconds: number | null;
}

export interface JobRules {
  /** Whether the job `due` has to wait for something else than an earlier job of its key. */
  waits?: Sql;
  /** Whether the job `due` can become part of the earlier job `earlier`, instead of waiting for it. */
  merges?: Sql;
  merge?(job: ClaimedJob, seconds: number): Promise<void>;
  /** How much of each party may be taken in a claim, in its transaction; as much as there is room for if absent. */
  share?(unit: UnitOfWork, parties: readonly string[], count: number): Promise<ReadonlyMap<string, number>>;
}

/** Seconds for which a claim is valid unless it is renewed. */
export const claimSeconds = 10;
/** How many due jobs of a party a claim examines to find those that need not wait. */
const examinedAtOnce = 25;
/** How many parties a claim looks at if they share places, and milliseconds between scans for them otherwise and then. */
const sharing = { parties: 100, scanInterval: 50 };
const scanInterval = 1_000;
/** Seconds after which a job that waits for an earlier one is examined again, in case nobody released it. */
const heldSeconds = 60;

/**
 * Jobs are looked up by indexes, whatever PostgreSQL knows about a table that was empty a moment ago and is not now. For the transaction
 * that is open.
 */
export const lookUpOnly = sql`select set_config('enable_seqscan', 'off', true)`;
const lease = sql`now() + make_interval(secs => ${claimSeconds})`;
/** Whether the job `earlier` comes before a job of the same key, and is not given up. */
const precedes = (job: Sql): Sql => sql`earlier.party = ${job}.party and earlier.key = ${job}.key
  and (earlier.position, earlier.id) < (${job}.position, ${job}.id) and earlier.due_at is not null`;
/** Rounded down: rounded up, it would not be due yet. */
export const dueNow = sql`date_trunc('milliseconds', now())`;

/**
 * One lane of the table `job`, shared by several processes. A claim postpones the due time of a job, so that another process finds it
 * when the claim expires. Parties take turns; jobs of one key run in their order: until one is done or given up, later ones are
 * held back, and then the next is released. Each job is examined once, however many wait.
 */
export class JobQueue {
  readonly lane: LaneName;
  readonly #db: Database;
  readonly #rules: JobRules;
  readonly #turns: JobTurns;
  /** Whether parties had due jobs in the last claim, and no room for them. */
  isCrowded = false;

  constructor(db: Database, lane: LaneName, rules: JobRules = {}) {
    this.#db = db;
    this.lane = lane;
    this.#rules = rules;
    this.#turns = new JobTurns(lane, rules.share ? sharing.scanInterval : scanInterval);
  }

  /**
   * Claims up to `count` due jobs. `more` says whether others may be due.
   *
   * @param except parties to pass over
   */
  async claim(count: number, except: readonly string[] = []): Promise<{ jobs: ClaimedJob[]; more: boolean }> {
    const claim = (parties: readonly string[]) => this.#examine(parties, count);
    const atOnce = this.#rules.share ? sharing.parties : count;
    const examined = await this.#turns.take(this.#db, claim, { count: atOnce, except });
    for (const each of examined) if (each.outcome === 'merges') await this.#rules.merge?.(each, each.seconds ?? 0);
    // the earlier job may have ended after the claim saw it, but before it could see the later one held back
    await this.#release(examined.filter(({ outcome }) => outcome === 'held').map(({ id }) => id));
    return { jobs: examined.filter(({ outcome }) => outcome === 'claimed'), more: examined.length > 0 };
  }

  async #examine(parties: readonly string[], count: number): Promise<{ taken: Examined[]; waiting?: string[] }> {
    const { share } = this.#rules;
    if (!share) {
      const all = new Map(parties.map((party) => [party, count]));
      return { taken: await this.#db.rows(this.#claimSql(all, count)) };
    }
    return await this.#db.transaction(async (unit) => {
      const given = await share(unit, parties, count);
      const taken = given.size === 0 ? [] : await unit.rows<Examined>(this.#claimSql(given, count));
      const waiting = parties.filter((party) => !given.has(party));
      this.isCrowded = waiting.length > 0;
      return { taken, waiting };
    });
  }

  #claimSql(most: ReadonlyMap<string, number>, count: number): Sql {
    const { waits = sql`false`, merges = sql`false` } = this.#rules;
    return sql`with due as (
        select job.*, turn.most from unnest(${[...most.keys()]}::uuid[], ${[...most.values()]}::int[])
          as turn (party, most) cross join lateral (
          select id, lane, party, key, about, position, attempts, due_at, error from job
          where lane = ${this.lane} and party = turn.party and due_at <= now()
          order by due_at, position limit ${examinedAtOnce} for update skip locked
        ) job
      ), examined as (
        select due.*, ${waits} as waits, first.due_at as first_due_at, first.merges from due left join lateral (
          select earlier.due_at, ${merges} as merges from job earlier
          where due.key is not null and ${precedes(sql`due`)}
          order by earlier.position, earlier.id limit 1
        ) first on true
      ), heads as (
        select id, error, most, row_number() over (partition by party order by error is not null, due_at, position) as nth
        from examined where first_due_at is null and not waits
      ), taken as (
        select id, 'claimed' as outcome, ${lease} as due_at, null::float8 as seconds, error is null as "isFresh" from (
          select id, error from heads where nth <= most order by nth limit ${count}
        ) claimed
        union all select id, case when merges then 'merges' else 'held' end,
          greatest(first_due_at, now() + make_interval(secs => ${heldSeconds})), extract(epoch from first_due_at - now()), false
          from examined where first_due_at is not null
        union all select id, 'waits', now() + interval '1 second', null, false from examined where first_due_at is null and waits
      )
      update job set held = outcome in ('held', 'merges'), claimed = outcome = 'claimed', due_at = taken.due_at,
        attempts = attempts + (outcome = 'claimed')::int, error = case outcome when 'claimed' then null else error end
      from taken where job.id = taken.id
      returning job.id, job.kind, job.data, job.organization_id,
        (select o.maker_id from organization o where o.id = job.organization_id) as maker_id, job.party, job.key, job.position::text, job.attempts,
        taken."isFresh", outcome, seconds`;
  }

  /** Ends jobs that are done; returns whether others were held back for them and are due now. */
  async end(jobs: readonly ClaimedJob[]): Promise<boolean> {
    await this.endIn(this.#db, jobs);
    return await this.releaseNext(jobs);
  }

  /**
   * Deletes jobs that are done, whoever has claimed them since, in a transaction, after whose commit {@link releaseNext} follows; returns
   * the ids of those that were there.
   */
  async endIn(db: Database, jobs: readonly ClaimedJob[]): Promise<Set<string>> {
    const gone = await db.rows<{ id: string }>(
      sql`delete from job where id = any(${jobs.map(({ id }) => id)}::uuid[]) returning id`,
    );
    return new Set(gone.map(({ id }) => id));
  }

  /**
   * Runs a job again later, unless another process has claimed it since.
   *
   * @param options `failed`: why, if the attempt failed; otherwise it is not counted, or if it has made progress, attempts are counted from
   * there. `data`: the input of the next attempt, if that differs
   */
  async again(
    job: Pick<ClaimedJob, 'id' | 'attempts'>,
    { seconds, failed, data }: { seconds: number; failed?: string; data?: object },
    db: Database = this.#db,
  ): Promise<void> {
    const attempts = failed === undefined ? (data ? sql`0` : sql`attempts - 1`) : sql`attempts`;
    const changed = data ? sql`, data = ${JSON.stringify(data)}::jsonb` : empty;
    await db.run(sql`update job set claimed = false, error = ${failed ?? null}, attempts = ${attempts},
        due_at = ${dueNow} + make_interval(secs => ${seconds}) ${changed}
      where ${isClaimed(job)}`);
  }

  /** Gives a job up; returns whether another was held back for it and is due now. */
  async giveUp(job: ClaimedJob, reason: string): Promise<boolean> {
    await this.#db.row(sql`update job set claimed = false, error = ${reason}, due_at = null where ${isClaimed(job)}`);
    return await this.releaseNext([job]);
  }

  /**
   * Makes the next jobs of the keys of jobs that have ended due; returns whether there were any. After the commit of their end: a claim
   * that holds a job back looks afterwards, too, so that one of the two sees what the other has done.
   */
  async releaseNext(jobs: readonly ClaimedJob[], db: Database = this.#db): Promise<boolean> {
    const keyed = jobs.filter(({ key }) => key !== null);
    if (keyed.length === 0) return false;
    const released = await db.rows(sql`update job set held = false, due_at = ${dueNow}
      from unnest(${keyed.map(({ party }) => party)}::uuid[], ${keyed.map(({ key }) => key)}::text[]) as ended (party, key)
        cross join lateral (
          select id, held from job where party = ended.party and key = ended.key and due_at is not null
          order by position, id limit 1
        ) next
      where job.id = next.id and next.held and job.held returning job.id`);
    return released.length > 0;
  }

  /** Makes jobs due that are held back without reason. */
  async #release(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.run(sql`update job set held = false, due_at = ${dueNow}
      where id = any(${ids}::uuid[]) and held and not exists (
        select from job earlier where ${precedes(sql`job`)}
      )`);
  }
}

/** The condition that the claim of a job still exists. */
export const isClaimed = ({ id, attempts }: Pick<ClaimedJob, 'id' | 'attempts'>): Sql =>
  sql`id = ${id}::uuid and attempts = ${attempts}`;

/** Makes periodic work due now. If it is being done, its claim is lost, so that it is done again: what it has looked at may be older. */
export const wakePeriodic = (
  key: string,
): Sql => sql`update job set due_at = ${dueNow}, claimed = false, attempts = attempts + claimed::int
  where lane = 'periodic' and key = ${key}`;

/** Renews claims; returns the ids of those that still existed. What a transaction has locked is not claimed by others meanwhile. */
export async function renewClaims(
  db: Database,
  jobs: readonly Pick<ClaimedJob, 'id' | 'attempts'>[],
): Promise<Set<string>> {
  const renewed = await db.rows<{ id: string }>(sql`with own as (
      select job.id from job join unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ attempts }) => attempts)}::int[])
        as given (id, attempts) on job.id = given.id and job.attempts = given.attempts where job.claimed
    ), renewed as (
      update job set due_at = ${lease} where id in (
        select id from job where id in (select id from own) and claimed order by id for update skip locked
      )
    )
    select id from own`);
  return new Set(renewed.map(({ id }) => id));
}
