import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Services } from '../domain/services.ts';
import { type Target, tryDelivery } from '../domain/webhook/delivery.ts';
import {
  chargeDeliveries,
  type DeliveryJob,
  deliveryPayers,
  suspendDeliveries,
} from '../domain/webhook/delivery-jobs.ts';
import { type Attempt, recordDelivered, recordFailure } from '../domain/webhook/record-attempts.ts';
import { contendersOf, type FoundContender, type Free, shareOut } from '../domain/webhook/share-out.ts';
import { openKeys } from '../domain/webhook/webhook-secrets.ts';
import type { UnitOfWork } from '../engine/database.ts';
import { type ClaimedJob, JobQueue } from '../engine/jobs/job-queue.ts';
import { deferred, setSql } from '../engine/planner.ts';
import { batched } from '../kernel/batched.ts';
import { HostRates, rateHostOf } from '../kernel/limits/host-rates.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { signals } from '../kernel/usage.ts';
import type { Lane, LaneScope, Store } from './runner.ts';

interface DeliveriesScope extends LaneScope {
  /** Made from the current secrets, which may change. */
  services(): Pick<Services, 'sealer' | 'sendToEndpoint'>;
  limits: Limits;
  /** Called after deliveries are recorded or put back. */
  recorded(): void;
}

/**
 * How many deliveries a process has in flight, and how many of them may be of webhooks that are not healthy. A delivery that takes
 * longer than `longPlace` frees its place, up to `slow` of them: otherwise slow endpoints would take all places. A response frees its
 * place, too, unless too many jobs are `claimed`: they wait, are in flight or are not recorded yet.
 */
const most = { all: 64, unhealthy: 48, slow: 192, claimed: 768 };
const longPlace = 1_000;
/**
 * After `streak` deliveries in a row of at most `within` milliseconds, a claim takes `each` jobs per place of a webhook, sent one after
 * another. Those still waiting when one fails or takes longer, or after `patience` milliseconds, are put back.
 */
const quick = { streak: 16, within: 25, each: 8, patience: 200 };
/** Milliseconds until a host that may get no more deliveries now is checked again. */
const pause = 100;
/** Milliseconds from a response to its record, so that a transaction records several. */
const gather = 5;
/** Seconds for which a result is kept if the database is down; then the attempt is made again. */
const keptFor = 20;

/**
 * The lock: two processes that share out places at once would both count the same ones. No waiting for the disk: a claim that a crash
 * of PostgreSQL loses is made again. The timeout: the lock of a host that vanishes ends soon.
 */
const begin = setSql(
  { ...deferred, idle_in_transaction_session_timeout: '5s' },
  sql`pg_advisory_xact_lock(hashtextextended('webhook places', 0))`,
);

/** A webhook of a claim. */
interface ClaimedTarget extends Target, Pick<FoundContender, 'id' | 'healthy'> {
  /** How many of its places are still free; negative once deliveries wait. */
  free: number;
  /** The deliveries that wait for a place; null puts them back. */
  waiting: ((place: TakenPlace | null) => void)[];
}

/** A place, used by one delivery at a time; that one began at `since`. */
interface TakenPlace {
  target: ClaimedTarget;
  since: number;
}

const waitFor = (target: ClaimedTarget) =>
  new Promise<TakenPlace | null>((resolve) => {
    if (target.waiting.push(resolve) === 1) setTimeout(() => putBackWaiting(target), quick.patience).unref();
  });

function putBackWaiting({ waiting }: ClaimedTarget): void {
  for (const resolve of waiting.splice(0)) resolve(null);
}

/** Sends changes to webhooks, those of one object in order (note 0059). */
export class DeliveryLane implements Lane {
  readonly queue: JobQueue;
  readonly #options: DeliveriesScope;
  readonly #hosts = new HostRates();
  readonly #taken = new Set<TakenPlace>();
  /** The webhooks of the last claim, so that no delivery reads its own. */
  #targets = new Map<string, ClaimedTarget>();
  /** How many of the last deliveries of a webhook were quick. */
  readonly #streaks = new LRUCache<string, number>({ max: 10_000 });
  readonly #limit = pLimit(1);
  /** The ids of jobs that wait, are in flight or are not recorded yet. */
  readonly #claimed = new Set<string>();
  /** Set while a host is at its limit. */
  #waking: NodeJS.Timeout | undefined;
  // one transaction at a time, to leave connections for requests
  readonly #recordDelivered = batched<Attempt>(this.#limit, gather, async (attempts) => {
    await recordDelivered(this.#options.db, this.queue, attempts);
    for (const { job, answer } of attempts) if (answer) chargeDeliveries(this.#options.limits, job, [job.data]);
  });

  constructor(options: DeliveriesScope) {
    this.#options = options;
    this.queue = new JobQueue(options.db, 'deliveries', {
      begin,
      share: (unit, parties) => this.#share(unit, parties),
    });
  }

  free(): number {
    return this.#free().all;
  }

  #free(): Free {
    const now = performance.now();
    const long = [...this.#taken].filter(({ since }) => now - since >= longPlace).slice(0, most.slow);
    const holding = [...this.#taken].filter((each) => !long.includes(each));
    const unhealthy = holding.filter(({ target }) => !target.healthy);
    const all = Math.min(most.all - holding.length, most.claimed - this.#claimed.size);
    return { all: Math.max(0, all), unhealthy: Math.max(0, most.unhealthy - unhealthy.length) };
  }

  /** Shares the free places out among webhooks; the database knows what other processes have in flight. */
  async #share(unit: UnitOfWork, parties: readonly string[]): Promise<Map<string, number>> {
    const own = Map.groupBy(this.#taken, ({ target }) => target.id);
    const webhooks = [...new Set([...parties, ...own.keys()])];
    const found = await unit.rows(contendersOf({ webhooks, claimed: [...this.#claimed] }));
    const suspended = parties.filter((id) => !found.some((each) => each.id === id));
    if (suspended.length > 0) await unit.run(suspendDeliveries({ webhookIds: suspended }));
    const { limits, services } = this.#options;
    const rooms = new Map(found.map(({ url }) => [rateHostOf(url), { room: Number.POSITIVE_INFINITY }]));
    if (limits.enabled) for (const [host, each] of rooms) each.room = this.#hosts.roomOf(host);
    const contenders = found.map((each) => ({
      ...each,
      sending: each.sending + (own.get(each.id)?.length ?? 0),
      host: rooms.get(rateHostOf(each.url)),
      wants: parties.includes(each.id) && limits.keptBytes.waitOf(deliveryPayers(each)) === 0,
    }));
    const given = shareOut(contenders, this.#free());
    this.#targets = new Map();
    const jobs = new Map<string, number>();
    for (const each of contenders.filter(({ id }) => given.has(id))) {
      const { id, healthy, secrets } = each;
      const target = { ...each, keys: openKeys(services().sealer, id, secrets), free: given.get(id) ?? 0, waiting: [] };
      this.#targets.set(id, target);
      // with host limits, claiming less often gains nothing
      const isQuick = healthy && !limits.enabled && (this.#streaks.get(id) ?? 0) >= quick.streak;
      jobs.set(id, target.free * (isQuick ? quick.each : 1));
    }
    // the rest is claimed once a host accepts more
    const waits = [...rooms].flatMap(([host, { room }]) => (room > 0 ? [] : [this.#hosts.waitOf(host) || pause]));
    const wake = () => {
      this.#waking = undefined;
      this.#options.nudge('deliveries');
    };
    if (waits.length > 0) this.#waking ??= setTimeout(wake, Math.min(...waits)).unref();
    return jobs;
  }

  async run(claimed: ClaimedJob, signal: AbortSignal, store: Store): Promise<void> {
    const job = claimed as DeliveryJob;
    const target = this.#targets.get(job.party) as ClaimedTarget;
    this.#hosts.begin(rateHostOf(target.url));
    this.#claimed.add(job.id);
    try {
      const place = target.free-- > 0 ? { target, since: 0 } : await waitFor(target);
      const answer = place && (await this.#send(job, place, signal));
      await store(() => this.#record({ job, answer }), keptFor);
    } finally {
      this.#claimed.delete(job.id);
    }
  }

  async #send(job: DeliveryJob, place: TakenPlace, signal: AbortSignal) {
    place.since = performance.now();
    this.#taken.add(place);
    const timer = setTimeout(() => this.#options.nudge('deliveries'), longPlace);
    let isQuick = false;
    try {
      const answer = await tryDelivery(this.#options.services().sendToEndpoint, place.target, job.data.change, signal);
      isQuick = answer.delivered && performance.now() - place.since <= quick.within;
      signals.emit('webhookTried', answer.delivered ? 'delivered' : 'failed');
      return answer;
    } finally {
      clearTimeout(timer);
      this.#streaks.set(job.party, isQuick ? (this.#streaks.get(job.party) ?? 0) + 1 : 0);
      if (!isQuick) putBackWaiting(place.target);
      const next = place.target.waiting.shift();
      if (next) next(place);
      else this.#taken.delete(place);
    }
  }

  async #record({ job, answer }: Attempt): Promise<void> {
    try {
      if (answer?.delivered === false) await this.#recordFailure(job, answer);
      else await this.#recordDelivered({ job, answer });
      this.#options.recorded();
    } catch (error) {
      signals.emit('webhookUnrecorded');
      throw error;
    }
  }

  async #recordFailure(job: DeliveryJob, answer: NonNullable<Attempt['answer']>): Promise<void> {
    const { db, limits, log, nudge } = this.#options;
    const next = await this.#limit(() => recordFailure(db, this.queue, job, answer));
    if (next !== null) chargeDeliveries(limits, job, [{ ...job.data, response: answer.response }]);
    if (next !== 'disabled') return;
    log.warn({ webhook: job.party, organization: job.organization_id }, 'a webhook was disabled');
    nudge('account_mails');
  }
}
