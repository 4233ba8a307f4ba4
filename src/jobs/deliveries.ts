import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import sql from 'sql-template-tag';
import type { Services } from '../domain/services.ts';
import { type EndpointAnswer, tryDelivery } from '../domain/webhook/delivery.ts';
import {
  chargeDeliveries,
  type DeliveryJob,
  deliveryPayers,
  suspendDeliveries,
} from '../domain/webhook/delivery-jobs.ts';
import { type Attempt, recordDelivered, recordFailure } from '../domain/webhook/record-attempts.ts';
import { type FoundContender, findContenders, HostRates, rateHostOf, shareOut } from '../domain/webhook/share-out.ts';
import type { UnitOfWork } from '../engine/database.ts';
import { JobQueue, lookUpOnly } from '../engine/jobs/job-queue.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { signals } from '../kernel/usage.ts';
import { type Lane, type LaneScope, Places } from './runner.ts';

export interface DeliveriesScope extends LaneScope {
  /** Made from the current secrets, which may change. */
  services(): Pick<Services, 'sealer' | 'sendToEndpoint'>;
  limits: Limits;
}

/**
 * How many deliveries a process has in flight, and how many of them may be of webhooks whose last attempt failed or took long. What
 * takes longer than a second gives its place back, up to `slow` of them: many slow endpoints would take all.
 */
const most = { all: 64, failing: 48, slow: 192 };
/** Milliseconds after which a delivery gives its place back. */
const longPlace = 1_000;
/** Milliseconds until a host is asked again that was just given all that it takes. */
const pause = 100;
/** Milliseconds for which a result is kept if the database is down; then the attempt is made again. */
const keptFor = 20_000;

/**
 * Two processes that share places at once would both count the same ones. A claim that a crash of PostgreSQL forgets is made again, so
 * nobody waits for the disk, and a host that vanishes meanwhile does not keep the others waiting for long.
 */
const beginSharing = sql`select pg_advisory_xact_lock(hashtextextended('webhook places', 0)),
  set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '5s', true)`;

/** Sends changes to webhooks, each of an object after the one before it (note 0059). */
export class Deliveries {
  readonly #options: DeliveriesScope;
  readonly #queue: JobQueue;
  readonly #hosts: HostRates;
  readonly #places = new Places(most.all);
  /** The places of webhooks whose last attempt failed or took long. */
  readonly #failing = new Places(most.failing);
  /** Those that were given back. */
  readonly #slow = new Places(most.slow);
  /** The webhooks of the last claims, with URL and secrets, so that a delivery reads nothing more. */
  readonly #targets = new LRUCache<string, FoundContender>({ max: 1_000 });
  readonly #limit = pLimit(1);
  /** Set while a host has to take more before the next claim. */
  #waking: NodeJS.Timeout | undefined;
  /** What is recorded next, in one transaction. */
  #next: { delivered: Attempt[]; recorded: Promise<boolean> } | null = null;

  constructor(options: DeliveriesScope) {
    this.#options = options;
    this.#hosts = new HostRates(options.limits.enabled);
    this.#queue = new JobQueue(options.db, 'deliveries', {
      share: (unit, parties, count) => this.#share(unit, parties, count),
    });
  }

  lane(): Lane {
    return {
      name: 'deliveries',
      places: [this.#places],
      claim: (count) => this.#queue.claim(count),
      run: (job, signal) => this.#run(job as DeliveryJob, signal),
    };
  }

  /** Shares the free places out among webhooks, of which the database knows what all processes have in flight. */
  async #share(unit: UnitOfWork, parties: readonly string[], all: number): Promise<Map<string, number>> {
    await unit.run(beginSharing);
    await unit.run(lookUpOnly);
    const found = await findContenders(unit, parties);
    const suspended = parties.filter((id) => !found.some((each) => each.id === id));
    if (suspended.length > 0) await suspendDeliveries(unit, suspended);
    for (const each of found) this.#targets.set(each.id, each);
    const due = new Set(parties);
    const contenders = found.map((each) => ({ ...each, wants: due.has(each.id) && this.#mayBegin(each) }));
    const given = shareOut(contenders, { all, failing: Math.max(most.failing - this.#failing.taken, 0) });
    return this.#withinRates(found, given);
  }

  /** What hosts take now of the places that webhooks were given; the rest is claimed once a host takes more. */
  #withinRates(found: readonly FoundContender[], given: ReadonlyMap<string, number>): Map<string, number> {
    const rooms = new Map<string, number>();
    const shares = new Map<string, number>();
    for (const { id, url } of found) {
      const host = rateHostOf(url);
      const room = rooms.get(host) ?? this.#hosts.roomOf(host);
      const share = Math.min(given.get(id) ?? 0, room);
      rooms.set(host, room - share);
      if (share > 0) shares.set(id, share);
    }
    const waits = [...rooms].flatMap(([host, room]) => (room > 0 ? [] : [this.#hosts.waitOf(host) || pause]));
    if (waits.length > 0) this.#wakeIn(Math.min(...waits));
    return shares;
  }

  #wakeIn(milliseconds: number): void {
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined;
      this.#options.nudge('deliveries');
    }, milliseconds).unref();
  }

  /** Whether a webhook can send now: its organization can keep something, and its host takes more. */
  #mayBegin(webhook: FoundContender): boolean {
    return (
      this.#hosts.waitOf(rateHostOf(webhook.url)) === 0 &&
      this.#options.limits.keptBytes.waitOf(deliveryPayers(webhook)) === 0
    );
  }

  async #run(job: DeliveryJob, signal: AbortSignal): Promise<boolean> {
    const target = this.#targets.get(job.party);
    // it runs again once its claim has expired
    if (!target) throw new Error('More webhooks were claimed at once than are remembered.');
    const host = rateHostOf(target.url);
    if (!this.#hosts.take(host)) {
      await this.#queue.again(job, { seconds: this.#hosts.waitOf(host) / 1000 });
      return false;
    }
    const giveBack = this.#takePlace(target.healthy);
    try {
      const answer = await tryDelivery(this.#options.services(), target, job.data.change, signal);
      signals.emit('webhookTried', answer.delivered ? 'delivered' : 'failed');
      const record = answer.delivered ? this.#recordDelivered({ job, answer }) : this.#recordFailure(job, answer);
      // others may have waited for this place
      return (await record) || this.#queue.isCrowded;
    } finally {
      giveBack();
    }
  }

  /** Takes a place of the failing ones, and gives all places of a delivery back once it takes long. */
  #takePlace(healthy: boolean): () => void {
    const taken = healthy ? [] : [this.#failing];
    for (const each of taken) each.taken += 1;
    let isSlow = false;
    const move = (by: 1 | -1) => {
      for (const each of [this.#places, ...taken]) each.taken -= by;
      this.#slow.taken += by;
    };
    const timer = setTimeout(() => {
      if (this.#slow.taken >= this.#slow.most) return;
      isSlow = true;
      move(1);
      this.#options.nudge('deliveries');
    }, longPlace);
    return () => {
      clearTimeout(timer);
      if (isSlow) move(-1);
      for (const each of taken) each.taken -= 1;
    };
  }

  /** Together with what others deliver meanwhile, one transaction at a time, so that requests keep their connections. */
  async #recordDelivered(delivered: Attempt): Promise<boolean> {
    if (!this.#next) {
      const batch: Attempt[] = [];
      const { db } = this.#options;
      const recorded = this.#limit(async () => {
        this.#next = null;
        return await this.#keep(() => recordDelivered(db, this.#queue, batch));
      });
      this.#next = { delivered: batch, recorded };
    }
    this.#next.delivered.push(delivered);
    const isMoreDue = await this.#next.recorded;
    const { job } = delivered;
    chargeDeliveries(this.#options.limits, job, [job.data]);
    return isMoreDue;
  }

  async #recordFailure(job: DeliveryJob, answer: EndpointAnswer): Promise<boolean> {
    const { db, limits, log, nudge } = this.#options;
    const record = () => recordFailure(db, this.#queue, job, answer);
    const next = await this.#limit(async () => await this.#keep(record));
    if (next !== null) chargeDeliveries(limits, job, [{ ...job.data, response: answer.response }]);
    if (next === 'disabled') {
      log.warn({ webhook: job.party, organization: job.organization_id }, 'a webhook was disabled');
      nudge('account_mails');
    }
    return next === 'given up';
  }

  /** Records again and again if the database is down. */
  async #keep<Result>(record: () => Promise<Result>): Promise<Result> {
    for (const until = performance.now() + keptFor; ; ) {
      try {
        return await record();
      } catch (error) {
        signals.emit('webhookUnrecorded');
        if (performance.now() > until) throw error;
        this.#options.log.warn({ err: error }, 'cannot record deliveries; trying again');
        await sleep(1_000);
      }
    }
  }
}
