import { type RawBuilder, sql } from 'kysely';
import { built, prepared, type Statement } from '#postgres-access';
import type { Database, UnitOfWork } from '../database.ts';
import { inIndexOrder, setInIndexOrder } from '../planner.ts';
import { lowestId } from '../position.ts';
import { type Claim, lease, postponement } from './claims.ts';
import { dueNow, jobs, type LaneName } from './job.table.ts';

export interface ClaimedJob {
  id: string;
  kind: string;
  data: unknown;
  organization_id: string | null;
  maker_id: string | null;
  party: string;
  key: string | null;
  position: string;
  /** The number of attempts, including this one; it identifies the claim. */
  attempts: number;
  /** Unless the last attempt failed: its process may have died, or it was postponed. */
  isFresh: boolean;
}

interface Examined extends ClaimedJob {
  outcome: 'claimed' | 'held' | 'merges' | 'waits';
  /** Seconds until the job that it waits for is due. */
  seconds: number | null;
}

export interface JobRules {
  /** The settings of the transaction of a claim. */
  begin?: Statement;
  /** Whether the job `due` has to wait, apart from earlier jobs of its key. */
  waits?: RawBuilder<boolean>;
  /** Whether the job `due` can become part of the job `earlier` that it waits for. */
  merges?: RawBuilder<boolean>;
  merge?(job: ClaimedJob, seconds: number): Promise<void>;
  /** How many jobs of each party may be claimed; runs in the claim's transaction. If absent: up to `count` in total. */
  share?(unit: UnitOfWork, parties: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** How many jobs of a party are examined beyond those that may be claimed: some wait for earlier ones. */
const examinedMore = 8;
/** How many parties a scan finds, and how many share places in one claim. */
const mostParties = 100;
/** Milliseconds between scans for parties while known ones still have due jobs. */
const scanInterval = { alone: 1_000, sharing: 50 };
/** Seconds after which a held job is examined again, in case it was not released. */
const heldSeconds = 60;

/**
 * One lane of the table `job`; each process has one instance. A claim postpones a job, so that another process finds it if the claim
 * expires. Parties take turns, however many jobs each has. Jobs of one key run in order: until one is done or given up, later ones are held.
 */
export class JobQueue {
  readonly lane: LaneName;
  /** Whether jobs may be due. */
  wanted = false;
  /** Whether to claim again when a job ends: a claim is under way, or the last one ran out of places. */
  isCrowded = false;
  readonly #db: Database;
  readonly #rules: JobRules;
  /** The parties with due jobs, in the order of their turns. */
  #ring: string[] = [];
  #last = lowestId;
  #scannedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, lane: LaneName, rules: JobRules = {}) {
    this.#db = db;
    this.lane = lane;
    this.#rules = rules;
  }

  /** Claims up to `count` due jobs, `except` those of some parties. */
  async claim(count: number, except: readonly string[] = []): Promise<ClaimedJob[]> {
    this.wanted = false;
    // a job that ends meanwhile may be one that this claim still counts
    this.isCrowded = true;
    try {
      const examined = await this.#db.transaction((unit) => this.#examineNext(unit, count, except));
      this.wanted ||= examined.some(({ outcome }) => outcome !== 'claimed');
      for (const each of examined) if (each.outcome === 'merges') await this.#rules.merge?.(each, each.seconds ?? 0);
      // the earlier job may have ended after the claim saw it, and before its end could see that this one is held
      await this.releaseNext(examined.filter(({ outcome }) => outcome === 'held'));
      return examined.filter(({ outcome }) => outcome === 'claimed');
    } catch (error) {
      this.wanted = true;
      throw error;
    }
  }

  /** Examines jobs of the next parties; those that have none leave the ring. */
  async #examineNext(unit: UnitOfWork, count: number, except: readonly string[]): Promise<Examined[]> {
    const { share } = this.#rules;
    const next = () => this.#ring.filter((id) => !except.includes(id)).slice(0, share ? mostParties : count);
    await unit.run(this.#rules.begin ?? setInIndexOrder);
    let scans = next().length === 0 || performance.now() > this.#scannedAt + scanInterval[share ? 'sharing' : 'alone'];
    for (let isFresh = false; ; scans = !isFresh) {
      if (scans) await this.#scan(unit);
      isFresh ||= scans;
      const turn = next();
      this.isCrowded = turn.length > 0;
      if (!this.isCrowded) return [];
      const given = share ? await share(unit, turn) : new Map(turn.map((party) => [party, count]));
      const sum = given.values().reduce((total, most) => total + most, 0);
      const examined = given.size === 0 ? [] : await unit.rows(this.#claimSql(given, share ? sum : count));
      const isFull = [...given].some(([id, most]) => examined.filter(({ party }) => party === id).length >= most);
      this.isCrowded = isFull || given.size < turn.length;
      // others may be due, or may have the places that a party was given and did not need
      const mayHaveMore = !isFresh || examined.length >= count || this.#ring.length > turn.length;
      if (examined.length > 0) this.wanted ||= mayHaveMore || (isFull && sum >= count);
      const staying = new Set([...examined.map(({ party }) => party), ...turn.filter((party) => !given.has(party))]);
      this.#ring = [...this.#ring.filter((id) => !turn.includes(id)), ...turn.filter((id) => staying.has(id))];
      this.#last = turn.at(-1) as string;
      if (examined.length > 0 || (isFresh && staying.size > 0)) return examined;
    }
  }

  /** Finds the parties with due jobs, after the last one: a loose index scan, which reads one row of each party. */
  async #scan(unit: UnitOfWork): Promise<void> {
    const first = (after: RawBuilder<unknown>) => sql`select party, due_at from job
      where lane = ${this.lane} and due_at is not null and party > ${after} order by party, due_at limit 1`;
    const dueAfter = (last: string) =>
      unit.rows(
        built(sql<{ party: string }>`with recursive turn as (
          (${first(sql`${last}::uuid`)})
          union all select next.party, next.due_at from turn cross join lateral (${first(sql`turn.party`)}) next
        )
        select party from turn where due_at <= now() limit ${mostParties}`),
      );
    const due = await dueAfter(this.#last);
    if (due.length < mostParties && this.#last !== lowestId) due.push(...(await dueAfter(lowestId)));
    this.#ring = [...new Set(due.map(({ party }) => party))];
    this.#scannedAt = performance.now();
  }

  #claimSql(most: ReadonlyMap<string, number>, count: number): Statement<Examined> {
    const { waits = sql`false`, merges = sql`false` } = this.#rules;
    return built(sql`with due as (
        select job.*, turn.most from unnest(${[...most.keys()]}::uuid[], ${[...most.values()]}::int[])
          as turn (party, most) cross join lateral (
          select ctid, id, lane, party, key, about, position, attempts, due_at, error from job
          where lane = ${this.lane} and party = turn.party and due_at <= now()
          order by due_at, position limit turn.most + ${examinedMore} for update skip locked
        ) job
      ), examined as (
        select due.*, ${waits} as waits, first.due_at as first_due_at, first.merges from due left join lateral (
          select earlier.due_at, ${merges} as merges from job earlier
          where due.key is not null and earlier.party = due.party and earlier.key = due.key
            and earlier.position < due.position and earlier.due_at is not null
          order by earlier.position limit 1
        ) first on true
      ), heads as (
        select ctid, error, most, row_number() over (partition by party order by error is not null, due_at, position) as nth
        from examined where first_due_at is null and not waits
      ), taken as (
        select ctid, 'claimed' as outcome, ${lease} as due_at, null::float8 as seconds, error is null as "isFresh" from (
          select ctid, error from heads where nth <= most order by nth limit ${count}
        ) claimed
        union all select ctid, case when merges then 'merges' else 'held' end,
          greatest(first_due_at, now() + make_interval(secs => ${heldSeconds})), extract(epoch from first_due_at - now()), false
          from examined where first_due_at is not null
        union all select ctid, 'waits', now() + interval '1 second', null, false from examined where first_due_at is null and waits
      )
      update job set held = outcome in ('held', 'merges'), claimed = outcome = 'claimed', due_at = taken.due_at,
        attempts = attempts + (outcome = 'claimed')::int, error = case outcome when 'claimed' then null else error end
      from taken where job.ctid = taken.ctid
      returning job.id, job.kind, job.data, job.organization_id,
        (select o.maker_id from organization o where o.id = job.organization_id) as maker_id, job.party, job.key, job.position::text, job.attempts,
        taken."isFresh", outcome, seconds`);
  }

  async end(job: ClaimedJob): Promise<void> {
    await this.endIn(this.#db, job);
    await this.releaseNext([job]);
  }

  /** Ends a job even if another process has claimed it since. After the commit, {@link releaseNext}. */
  async endIn(db: Database, { id }: ClaimedJob): Promise<void> {
    // built each time: a kept plan of a small table would read all of a large one
    await db.run(built(jobs.deleteFrom('job').where('id', '=', id)));
  }

  /**
   * Runs a job again later, unless another process has claimed it since. An attempt that has not `failed` (with a reason) does not count,
   * nor does one that failed if `counts` is false; one with new `data` has then made progress, and attempts are counted from 0 again.
   */
  async again(
    job: Claim,
    { seconds, failed, data, counts = true }: { seconds: number; failed?: string; data?: object; counts?: boolean },
    db: Database = this.#db,
  ): Promise<void> {
    const { id, attempts } = job;
    const uncounted = data ? 0 : attempts - 1;
    const counted = failed === undefined ? uncounted : counts ? attempts : Math.max(1, attempts - 1);
    await db.run(
      postponement({ id, attempts, seconds, counted, error: failed ?? null, data: data ? JSON.stringify(data) : null }),
    );
    this.wanted ||= seconds === 0;
  }

  async giveUp(job: ClaimedJob, reason: string): Promise<void> {
    await this.#db.run(postponement({ ...job, seconds: null, counted: job.attempts, error: reason, data: null }));
    await this.releaseNext([job]);
  }

  /**
   * Makes the next job of each key due if it is held; returns whether any was. Call it after the commit that ended the jobs: a claim that
   * holds one also calls it after its commit, so one of the two sees the other's.
   */
  async releaseNext(ended: readonly ClaimedJob[], db: Database = this.#db): Promise<boolean> {
    const keyed = ended.filter(({ key }) => key !== null);
    if (keyed.length === 0) return false;
    const release = sql`update job set held = false, due_at = ${dueNow}
      from unnest(${keyed.map(({ party }) => party)}::uuid[], ${keyed.map(({ key }) => key)}::text[]) as ended (party, key)
        cross join lateral (
          select id, held from job where party = ended.party and key = ended.key and due_at is not null
          order by position limit 1
        ) next
      where job.id = next.id and next.held and job.held returning job.id`;
    const isReleased = (await db.rows(built(release), inIndexOrder)).length > 0;
    this.wanted ||= isReleased;
    return isReleased;
  }
}

/** Makes periodic work due now. If it is running, its claim is lost, so that it runs again: it may have read older data. */
export const wakePeriodic = prepared((at: { key: string }) =>
  jobs
    .updateTable('job')
    .set({ due_at: dueNow, claimed: false, attempts: sql<number>`attempts + claimed::int` })
    .where('lane', '=', sql<'periodic'>`'periodic'`)
    .where('key', '=', at.key),
);
