import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
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
import {
  contendersOf,
  type FoundContender,
  type Free,
  HostRates,
  rateHostOf,
  shareOut,
} from '../domain/webhook/share-out.ts';
import { openKeys } from '../domain/webhook/webhook-secrets.ts';
import type { UnitOfWork } from '../engine/database.ts';
import { type ClaimedJob, JobQueue } from '../engine/jobs/job-queue.ts';
import { deferred, setSql } from '../engine/planner.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { signals } from '../kernel/usage.ts';
import type { Lane, LaneScope, Store } from './runner.ts';

interface DeliveriesScope extends LaneScope {
  /** Made from the current secrets, which may change. */
  services(): Pick<Services, 'sealer' | 'sendToEndpoint'>;
  limits: Limits;
}

/**
 * How many deliveries a process has in flight, and how many of them may be of webhooks that are not healthy. A delivery that takes
 * longer than `longPlace` frees its place, up to `slow` of them: otherwise slow endpoints would take all places. A response frees its
 * place, too, unless too many are `unrecorded`.
 */
const most = { all: 64, unhealthy: 48, slow: 192, unrecorded: 256 };
const longPlace = 1_000;
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

/** Sends changes to webhooks, those of one object in order (note 0059). */
export class DeliveryLane implements Lane {
  readonly queue: JobQueue;
  readonly #options: DeliveriesScope;
  readonly #hosts = new HostRates();
  /** When the deliveries in flight began, and whether their webhooks were healthy. */
  readonly #sending = new Set<{ since: number; healthy: boolean }>();
  /** The webhooks of the last claim, so that no delivery reads its own. */
  #targets: ReadonlyMap<string, Target & Pick<FoundContender, 'healthy'>> = new Map();
  readonly #limit = pLimit(1);
  /** The jobs whose responses have come, but are not recorded yet. */
  readonly #answered = new Set<string>();
  /** Set while a host is at its limit. */
  #waking: NodeJS.Timeout | undefined;
  /** The next transaction that records deliveries. */
  #next: { delivered: Attempt[]; recorded: Promise<void> } | null = null;

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
    const before = performance.now() - longPlace;
    const sending = [...this.#sending];
    const long = sending.filter(({ since }) => since <= before).slice(0, most.slow);
    const holding = sending.filter((each) => !long.includes(each));
    const unhealthy = holding.filter(({ healthy }) => !healthy);
    const all = Math.min(most.all - holding.length, most.unrecorded - this.#answered.size);
    return { all: Math.max(0, all), unhealthy: Math.max(0, most.unhealthy - unhealthy.length) };
  }

  /** Shares the free places out among webhooks; the database knows what all processes have in flight. */
  async #share(unit: UnitOfWork, parties: readonly string[]): Promise<Map<string, number>> {
    const found = await unit.rows(contendersOf({ parties, answered: [...this.#answered] }));
    const suspended = parties.filter((id) => !found.some((each) => each.id === id));
    if (suspended.length > 0) await unit.run(suspendDeliveries({ webhookIds: suspended }));
    const { limits } = this.#options;
    const rooms = new Map(found.map(({ url }) => [rateHostOf(url), { room: Number.POSITIVE_INFINITY }]));
    if (limits.enabled) for (const [host, each] of rooms) each.room = this.#hosts.roomOf(host);
    const due = new Set(parties);
    const contenders = found.map((each) => ({
      ...each,
      host: rooms.get(rateHostOf(each.url)),
      wants: due.has(each.id) && limits.keptBytes.waitOf(deliveryPayers(each)) === 0,
    }));
    const given = shareOut(contenders, this.#free());
    const { sealer } = this.#options.services();
    const targets = found.filter(({ id }) => given.has(id));
    this.#targets = new Map(
      targets.map((each) => [each.id, { ...each, keys: openKeys(sealer, each.id, each.secrets) }]),
    );
    // the rest is claimed once a host accepts more
    const waits = [...rooms].flatMap(([host, { room }]) => (room > 0 ? [] : [this.#hosts.waitOf(host) || pause]));
    if (waits.length > 0) this.#wakeIn(Math.min(...waits));
    return given;
  }

  #wakeIn(milliseconds: number): void {
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined;
      this.#options.nudge('deliveries');
    }, milliseconds).unref();
  }

  async run(claimed: ClaimedJob, signal: AbortSignal, store: Store): Promise<void> {
    const job = claimed as DeliveryJob;
    const target = this.#targets.get(job.party) as Target & Pick<FoundContender, 'healthy'>;
    this.#hosts.begin(rateHostOf(target.url));
    const sending = { since: performance.now(), healthy: target.healthy };
    this.#sending.add(sending);
    const timer = setTimeout(() => this.#options.nudge('deliveries'), longPlace);
    const { sendToEndpoint } = this.#options.services();
    const answer = await tryDelivery(sendToEndpoint, target, job.data.change, signal).finally(() => {
      clearTimeout(timer);
      this.#sending.delete(sending);
    });
    signals.emit('webhookTried', answer.delivered ? 'delivered' : 'failed');
    this.#answered.add(job.id);
    await store(() => this.#record({ job, answer }), keptFor).finally(() => this.#answered.delete(job.id));
  }

  async #record(attempt: Attempt): Promise<void> {
    try {
      if (attempt.answer.delivered) await this.#recordDelivered(attempt);
      else await this.#recordFailure(attempt);
    } catch (error) {
      signals.emit('webhookUnrecorded');
      throw error;
    }
  }

  /** Together with other deliveries, one transaction at a time, so that enough connections are left for requests. */
  async #recordDelivered(attempt: Attempt): Promise<void> {
    if (!this.#next) {
      const delivered: Attempt[] = [];
      const recorded = this.#limit(async () => {
        await sleep(gather);
        this.#next = null;
        await recordDelivered(this.#options.db, this.queue, delivered);
      });
      this.#next = { delivered, recorded };
    }
    this.#next.delivered.push(attempt);
    await this.#next.recorded;
    chargeDeliveries(this.#options.limits, attempt.job, [attempt.job.data]);
  }

  async #recordFailure({ job, answer }: Attempt): Promise<void> {
    const { db, limits, log, nudge } = this.#options;
    const next = await this.#limit(() => recordFailure(db, this.queue, job, answer));
    if (next !== null) chargeDeliveries(limits, job, [{ ...job.data, response: answer.response }]);
    if (next !== 'disabled') return;
    log.warn({ webhook: job.party, organization: job.organization_id }, 'a webhook was disabled');
    nudge('account_mails');
  }
}
