import sql, { empty, type Sql } from 'sql-template-tag';
import type { Database, UnitOfWork } from '../database.ts';
import type { LaneName } from './job.table.ts';

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
/** The maximum number of parties that a scan finds, and that share places in one claim. */
const mostParties = 100;
/** Milliseconds between scans for new parties while others still have due jobs. */
const scanInterval = { alone: 1_000, sharing: 50 };
/** Sorts before every party. */
const start = '00000000-0000-0000-0000-000000000000';
/** Seconds after which a job that waits for an earlier one is examined again, in case nobody released it. */
const heldSeconds = 60;

/**
 * Jobs are looked up by indexes, whatever PostgreSQL knows about a table that was empty a moment ago and is not now. For the transaction
 * that is open.
 */
export const lookUpOnly = sql`select set_config('enable_seqscan', 'off', true)`;
const lease = sql`now() + make_interval(secs => ${claimSeconds})`;
/** Rounded down: rounded up, it would not be due yet. */
export const dueNow = sql`date_trunc('milliseconds', now())`;

/**
 * One lane of the table `job`, shared by several processes; a process has one instance. A claim postpones the due time of a job, so
 * that another process finds it when the claim expires. Parties take turns, however many jobs each has waiting. Jobs of one key run in
 * their order: until one is done or given up, later ones are held back, and then the next is released. Each job is examined once,
 * however many wait.
 */
export class JobQueue {
  readonly lane: LaneName;
  /** Whether jobs may be due. */
  wanted = false;
  /** Whether parties had due jobs in the last claim, and no room for them. */
  isCrowded = false;
  readonly #db: Database;
  readonly #rules: JobRules;
  /** The parties with due jobs, in the order of their turns. */
  #ring: string[] = [];
  /** The last party that had its turn. */
  #last = start;
  #scannedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, lane: LaneName, rules: JobRules = {}) {
    this.#db = db;
    this.lane = lane;
    this.#rules = rules;
  }

  /**
   * Claims up to `count` due jobs.
   *
   * @param except parties to skip
   */
  async claim(count: number, except: readonly string[] = []): Promise<ClaimedJob[]> {
    this.wanted = false;
    try {
      const examined = await this.#examineNext(count, except);
      this.wanted ||= examined.length > 0;
      for (const each of examined) if (each.outcome === 'merges') await this.#rules.merge?.(each, each.seconds ?? 0);
      // the earlier job may have ended after the claim saw it, but before it could see the later one held back
      await this.releaseNext(examined.filter(({ outcome }) => outcome === 'held'));
      return examined.filter(({ outcome }) => outcome === 'claimed');
    } catch (error) {
      this.wanted = true;
      throw error;
    }
  }

  /** Examines jobs of the parties whose turn it is; those that have none leave the ring. */
  async #examineNext(count: number, except: readonly string[]): Promise<Examined[]> {
    const { share } = this.#rules;
    const interval = share ? scanInterval.sharing : scanInterval.alone;
    const next = () => this.#ring.filter((id) => !except.includes(id)).slice(0, share ? mostParties : count);
    for (let mayScan = true; ; ) {
      let turn = next();
      if (mayScan && (turn.length === 0 || performance.now() - this.#scannedAt > interval)) {
        await this.#scan();
        mayScan = false;
        turn = next();
      }
      const last = turn.at(-1);
      if (last === undefined) return [];
      const { examined, waiting } = await this.#examine(turn, count);
      const served = new Set([...examined.map(({ party }) => party), ...waiting]);
      this.#ring = [...this.#ring.filter((id) => !turn.includes(id)), ...turn.filter((id) => served.has(id))];
      this.#last = last;
      // parties that can have none now would be asked again at once
      if (served.size > 0) return examined;
    }
  }

  async #scan(): Promise<void> {
    const next = await this.#dueAfter(this.#last);
    const first = next.length === mostParties || this.#last === start ? [] : await this.#dueAfter(start);
    this.#ring = [...new Set([...next, ...first])];
    this.#scannedAt = performance.now();
  }

  /** The parties with due jobs after one, by a loose index scan, which reads one row of each party. */
  async #dueAfter(last: string): Promise<string[]> {
    const first = (after: Sql) => sql`select party, due_at from job
      where lane = ${this.lane} and due_at is not null and party > ${after} order by party, due_at limit 1`;
    const due = await this.#db.rows<{ party: string }>(sql`with recursive turn as (
        (${first(sql`${last}::uuid`)})
        union all select next.party, next.due_at from turn cross join lateral (${first(sql`turn.party`)}) next
      )
      select party from turn where due_at <= now() limit ${mostParties}`);
    return due.map(({ party }) => party);
  }

  /** Examines due jobs of some parties, and claims those that may run; returns also the parties that could have none. */
  async #examine(parties: readonly string[], count: number): Promise<{ examined: Examined[]; waiting: string[] }> {
    const { share } = this.#rules;
    if (!share) {
      const all = new Map(parties.map((party) => [party, count]));
      return { examined: await this.#db.rows(this.#claimSql(all, count)), waiting: [] };
    }
    return await this.#db.transaction(async (unit) => {
      const given = await share(unit, parties, count);
      const examined = given.size === 0 ? [] : await unit.rows<Examined>(this.#claimSql(given, count));
      const waiting = parties.filter((party) => !given.has(party));
      this.isCrowded = waiting.length > 0;
      return { examined, waiting };
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
          where due.key is not null and earlier.party = due.party and earlier.key = due.key
            and (earlier.position, earlier.id) < (due.position, due.id) and earlier.due_at is not null
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

  /** Ends a job that is done. */
  async end(job: ClaimedJob): Promise<void> {
    await this.endIn(this.#db, [job]);
    await this.releaseNext([job]);
  }

  /**
   * Deletes jobs that are done, even if another process has claimed them since, in a transaction, after whose commit
   * {@link releaseNext} follows; returns the ids of those that were there.
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
    this.wanted ||= seconds === 0;
  }

  async giveUp(job: ClaimedJob, reason: string): Promise<void> {
    await this.#db.row(sql`update job set claimed = false, error = ${reason}, due_at = null where ${isClaimed(job)}`);
    await this.releaseNext([job]);
  }

  /**
   * Makes the first jobs of the keys of some jobs due if they are held back. After the commit of the end of those: a claim that holds a
   * job back looks afterwards, too, so that one of the two sees what the other has done.
   */
  async releaseNext(jobs: readonly ClaimedJob[], db: Database = this.#db): Promise<void> {
    const keyed = jobs.filter(({ key }) => key !== null);
    if (keyed.length === 0) return;
    const released = await db.rows(sql`update job set held = false, due_at = ${dueNow}
      from unnest(${keyed.map(({ party }) => party)}::uuid[], ${keyed.map(({ key }) => key)}::text[]) as ended (party, key)
        cross join lateral (
          select id, held from job where party = ended.party and key = ended.key and due_at is not null
          order by position, id limit 1
        ) next
      where job.id = next.id and next.held and job.held returning job.id`);
    this.wanted ||= released.length > 0;
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
