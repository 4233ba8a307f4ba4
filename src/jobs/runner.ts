import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Database } from '../engine/database.ts';
import type { LaneName } from '../engine/jobs/job.table.ts';
import { type ClaimedJob, claimSeconds, renewClaims } from '../engine/jobs/job-queue.ts';
import type { Log } from '../kernel/request.ts';
import { Signal } from '../kernel/signal.ts';

/** How many jobs of some lanes a process runs at once. */
export class Places {
  readonly most: number;
  taken = 0;

  constructor(most: number) {
    this.most = most;
  }
}

/** Attempts of a mail, or of a notice that queues mails: about six hours, from a second to a quarter of an hour apart. */
export const retries = { most: 32, seconds: (attempts: number) => Math.min(2 ** (attempts - 1), 15 * 60) };

/** What the work of every lane needs. */
export interface LaneScope {
  db: Database;
  log: Log;
  /** Wakes the runner. */
  nudge(lane: LaneName): void;
}

/** One kind of work: what may be claimed of it, and how a job is run. */
export interface Lane {
  readonly name: LaneName;
  /** Where its jobs take a place each; lanes may share some. */
  readonly places: readonly Places[];
  /** Claims up to `count` jobs; `more` says whether others may be due. */
  claim(count: number): Promise<{ jobs: ClaimedJob[]; more: boolean }>;
  /**
   * Runs a job and records what came of it.
   *
   * @param signal aborts if the claim is lost, or the service stops
   * @returns whether another job of the lane has become due
   */
  run(job: ClaimedJob, signal: AbortSignal): Promise<boolean>;
  start?(): void;
  stop?(): void;
}

interface RunnerOptions {
  db: Database;
  lanes: readonly Lane[];
  log: Log;
  /** Milliseconds between looks for jobs that others have queued. */
  pollInterval?: number;
}

/** Milliseconds from a nudge to the claim: the response leaves first, and one claim serves several commits. */
const gatherNudges = 20;

/** Milliseconds between renewals of claims, and after which a claim that could not be renewed counts as lost. */
const renewal = { interval: claimSeconds * 250, lost: claimSeconds * 600 };
/** Milliseconds from the end of a job to the claim for its place, so that one claim serves several. */
const gatherEnds = 5;
/** Milliseconds that stopping waits for jobs. */
const patience = 5_000;

interface Running {
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
  /** The lanes in which jobs may be due. */
  readonly #wanted = new Set<LaneName>();
  readonly #running = new Set<Running>();
  readonly #cut = new AbortController();
  /** Wakes the look for jobs. */
  readonly #signal = new Signal();
  #asks = true;
  #timer: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;
  /** Set while nudges are gathered. */
  #gathering: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopped = true;

  constructor(options: RunnerOptions) {
    this.#options = { pollInterval: 2_000, ...options };
    this.#lanes = new Map(options.lanes.map((lane) => [lane.name, lane]));
  }

  start(): void {
    this.#stopped = false;
    this.#renewing = setInterval(() => void this.#renew(), renewal.interval).unref();
    for (const lane of this.#lanes.values()) lane.start?.();
    this.#looking = this.#look();
  }

  /** Claims the jobs of a lane within moments, after the current response and together with other nudges. */
  nudge(lane: LaneName): void {
    this.#wanted.add(lane);
    this.#lookSoon(gatherNudges);
  }

  #lookSoon(milliseconds: number): void {
    if (this.#stopped) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#signal.wake();
    }, milliseconds).unref();
  }

  /**
   * Claims what the last nudges were about as far as places are free, starts nothing else, and waits a few seconds for jobs. Those that
   * take longer are aborted, and another process runs them again.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    for (const lane of this.#lanes.values()) lane.stop?.();
    this.#signal.wake();
    await this.#looking;
    // there may be no other process that would find them soon
    if (this.#gathering) await this.#claimAll().catch(() => undefined);
    const settled = Promise.all([...this.#running].map(({ ended }) => ended));
    await Promise.race([settled, sleep(patience, undefined, { ref: false })]);
    this.#cut.abort(new Error('The service is stopping.'));
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

  /** Asks which lanes have due jobs, and when the next one will be due: then it asks again. */
  async #ask(): Promise<void> {
    this.#asks = false;
    let seconds = this.#options.pollInterval / 1000;
    try {
      const names = [...this.#lanes.keys()];
      const found = await this.#options.db.rows<{ lane: LaneName; seconds: number }>(sql`select lane,
          extract(epoch from first.due_at - now())::float8 as seconds
        from unnest(${names}::text[]) as lane cross join lateral (
          select due_at from job where job.lane = lane.lane and due_at is not null order by due_at limit 1
        ) first where first.due_at <= now() + make_interval(secs => ${seconds})`);
      for (const each of found) if (each.seconds <= 0) this.#wanted.add(each.lane);
      seconds = Math.min(seconds, ...found.filter((each) => each.seconds > 0).map((each) => each.seconds));
    } finally {
      const asks = () => {
        this.#asks = true;
        this.#signal.wake();
      };
      if (!this.#stopped) this.#timer = setTimeout(asks, Math.ceil(seconds * 1000)).unref();
    }
  }

  /** Claims jobs while there are any and places are free. */
  async #claimAll(): Promise<void> {
    for (let more = true; more; ) {
      more = false;
      for (const lane of this.#lanes.values()) {
        const free = Math.min(...lane.places.map(({ most, taken }) => most - taken));
        if (free <= 0 || !this.#wanted.delete(lane.name)) continue;
        const since = performance.now();
        const claimed = await lane.claim(free).catch((error: unknown) => {
          this.#wanted.add(lane.name);
          throw error;
        });
        for (const job of claimed.jobs) this.#begin(lane, job, since);
        if (!claimed.more) continue;
        more = true;
        this.#wanted.add(lane.name);
      }
      if (this.#stopped) return;
    }
  }

  #begin(lane: Lane, job: ClaimedJob, since: number): void {
    const lost = new AbortController();
    for (const places of lane.places) places.taken += 1;
    const ended = lane
      .run(job, AbortSignal.any([lost.signal, this.#cut.signal]))
      .then((isMoreDue) => {
        if (isMoreDue) this.#wanted.add(lane.name);
      })
      .catch((error: unknown) => {
        // it runs again once its claim has expired
        this.#options.log.warn(
          { err: error, job: job.id, kind: job.kind },
          'a job failed, or its result could not be stored',
        );
      })
      .finally(() => {
        this.#running.delete(running);
        for (const places of lane.places) places.taken -= 1;
        // a place is free again
        if (this.#wanted.size > 0) this.#lookSoon(gatherEnds);
      });
    const running = { job, ended, lost, since };
    this.#running.add(running);
  }

  async #renew(): Promise<void> {
    const from = performance.now();
    const lose = ({ lost }: Running) => lost.abort(new Error('The claim was lost.'));
    for (const each of this.#running) if (from - each.since > renewal.lost) lose(each);
    const held = [...this.#running].filter(({ since }) => from - since >= renewal.interval / 2);
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
