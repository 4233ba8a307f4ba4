import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { built } from '#postgres-access';
import type { Database } from '../engine/database.ts';
import { claimSeconds, renewClaims } from '../engine/jobs/claims.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import type { ClaimedJob, JobQueue } from '../engine/jobs/job-queue.ts';
import type { Log } from '../kernel/request.ts';
import { Signal } from '../kernel/signal.ts';

export interface LaneScope {
  db: Database;
  log: Log;
  nudge(lane: LaneName): void;
}

/** Stores the result of a job; retries for a number of seconds, without limit if absent, or until the service stops. */
export type Store = <Result>(record: () => Promise<Result>, seconds?: number) => Promise<Result>;

/** One kind of work: how much of it may run at once, and how a job is run. */
export interface Lane {
  readonly queue: JobQueue;
  /** How many more jobs may run; `countOf` tells how many of some lanes do. */
  free(countOf: (...lanes: LaneName[]) => number): number;
  /** The parties whose jobs must not run now. */
  except?(): string[];
  /** Runs a job and records its result; `signal` aborts if the claim is lost, or the service stops. */
  run(job: ClaimedJob, signal: AbortSignal, store: Store): Promise<void>;
  start?(): void;
}

interface RunnerOptions {
  db: Database;
  lanes: readonly Lane[];
  log: Log;
  /** Milliseconds between looks for jobs that other processes queued. */
  pollInterval?: number;
}

/** Milliseconds to the next claim, so that it serves several: from a nudge, so that the response leaves first, or the end of a job. */
const gather = { nudges: 20, ends: 5 };
/** Milliseconds between renewals of claims, and after which a claim that could not be renewed counts as lost. */
const renewal = { interval: claimSeconds * 250, lost: claimSeconds * 600 };
/** Milliseconds until a result is stored again, if that failed. */
const storePause = 1_000;
/** Milliseconds that stopping waits for jobs. */
const patience = 5_000;

/** A job that this process runs. */
interface Running {
  lane: LaneName;
  job: ClaimedJob;
  ended: Promise<void>;
  lost: AbortController;
  /** When its claim was last known to be valid, by `performance.now()`. */
  since: number;
}

/** Runs the jobs of the table `job`, alongside other processes (note 0087). */
export class Runner {
  readonly #options: Required<RunnerOptions>;
  readonly #lanes: ReadonlyMap<LaneName, Lane>;
  readonly #running = new Set<Running>();
  readonly #signal = new Signal();
  #asks = true;
  #timer: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopped = true;

  constructor(options: RunnerOptions) {
    this.#options = { pollInterval: 2_000, ...options };
    this.#lanes = new Map(options.lanes.map((lane) => [lane.queue.lane, lane]));
  }

  start(): void {
    this.#stopped = false;
    this.#renewing = setInterval(() => void this.#renew(), renewal.interval).unref();
    for (const lane of this.#lanes.values()) lane.start?.();
    this.#looking = this.#look();
  }

  /** Claims jobs of a lane within moments, after the current response and together with other nudges. */
  nudge(lane: LaneName): void {
    this.#want(lane);
    this.#lookSoon(gather.nudges);
  }

  #want(name: LaneName): void {
    const lane = this.#lanes.get(name);
    if (lane) lane.queue.wanted = true;
  }

  #lookSoon(milliseconds: number): void {
    if (this.#stopped) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#signal.wake();
    }, milliseconds).unref();
  }

  /** Claims the jobs of the last nudges, then no more; waits a few seconds, and aborts the rest: another process runs them again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    this.#signal.wake();
    await this.#looking;
    // maybe no other process would find them soon
    if (this.#gathering) await this.#claimAll().catch(() => undefined);
    const settled = Promise.all([...this.#running].map(({ ended }) => ended));
    await Promise.race([settled, sleep(patience, undefined, { ref: false })]);
    for (const { lost } of this.#running) lost.abort(new Error('The service is stopping.'));
    await settled;
    clearInterval(this.#renewing);
  }

  async #look(): Promise<void> {
    for (let failed = false; !this.#stopped; await this.#signal.wait()) {
      try {
        if (this.#asks) await this.#ask();
        await this.#claimAll();
        failed = false;
      } catch (error) {
        // claimed jobs become due again
        if (!failed) this.#options.log.warn({ err: error }, 'cannot look for jobs');
        failed = true;
      }
    }
  }

  /** Asks which lanes have due jobs, and asks again when the next one is due. */
  async #ask(): Promise<void> {
    this.#asks = false;
    let seconds = this.#options.pollInterval / 1000;
    try {
      const found = await this.#options.db.rows(
        built(sql<{ lane: LaneName; seconds: number }>`select lane,
          extract(epoch from first.due_at - now())::float8 as seconds
        from unnest(${[...this.#lanes.keys()]}::text[]) as lane cross join lateral (
          select due_at from job where job.lane = lane.lane and due_at is not null order by due_at limit 1
        ) first where first.due_at <= now() + make_interval(secs => ${seconds})`),
      );
      for (const each of found) {
        if (each.seconds <= 0) this.#want(each.lane);
        else seconds = Math.min(seconds, each.seconds);
      }
    } finally {
      const asks = () => {
        this.#asks = true;
        this.#signal.wake();
      };
      if (!this.#stopped) this.#timer = setTimeout(asks, Math.ceil(seconds * 1000)).unref();
    }
  }

  async #claimAll(): Promise<void> {
    for (let more = true; more; ) {
      more = false;
      for (const lane of this.#lanes.values()) {
        const free = lane.free((...lanes) => [...this.#running].filter((each) => lanes.includes(each.lane)).length);
        if (free <= 0 || !lane.queue.wanted) continue;
        const since = performance.now();
        for (const job of await lane.queue.claim(free, lane.except?.())) this.#begin(lane, job, since);
        more ||= lane.queue.wanted;
      }
      if (this.#stopped) return;
    }
  }

  #begin(lane: Lane, job: ClaimedJob, since: number): void {
    const lost = new AbortController();
    const freed = () => {
      // others may have waited for its place
      lane.queue.wanted ||= lane.queue.isCrowded;
      if (this.#lanes.values().some((each) => each.queue.wanted)) this.#lookSoon(gather.ends);
    };
    const store: Store = (record, seconds) => {
      freed();
      return this.#store(record, seconds);
    };
    const ended = lane
      .run(job, lost.signal, store)
      .catch((error: unknown) => {
        // it runs again once its claim has expired
        const fields = { err: error, job: job.id, kind: job.kind };
        this.#options.log.warn(fields, 'a job failed, or its result could not be stored');
      })
      .finally(() => {
        this.#running.delete(running);
        freed();
      });
    const running = { lane: lane.queue.lane, job, ended, lost, since };
    this.#running.add(running);
  }

  /** Retries, because a job whose result is not stored would run again. */
  readonly #store: Store = async (record, seconds = Number.POSITIVE_INFINITY) => {
    const until = performance.now() + seconds * 1000;
    for (let failed = false; ; failed = true) {
      try {
        return await record();
      } catch (error) {
        if (this.#stopped || performance.now() > until) throw error;
        if (!failed) this.#options.log.warn({ err: error }, 'cannot store the result of a job; trying again');
        await sleep(storePause);
      }
    }
  };

  async #renew(): Promise<void> {
    const from = performance.now();
    const lose = ({ lost }: Running) => lost.abort(new Error('The claim was lost.'));
    const held = [...this.#running].filter(({ since }) => from - since >= renewal.interval / 2);
    for (const each of held) if (from - each.since > renewal.lost) lose(each);
    if (held.length === 0) return;
    const claims = held.map(({ job }) => job);
    // an error says nothing about the claims: the next renewal may succeed in time
    const renewed = await renewClaims(this.#options.db, claims).catch(() => null);
    for (const each of renewed ? held : []) {
      if (renewed?.has(each.job.id)) each.since = from;
      else lose(each);
    }
  }
}
