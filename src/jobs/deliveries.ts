import { findWork, type Work } from '../domain/webhook/read-page.ts';
import { type HeldTurn, type Turn, takeTurns } from '../domain/webhook/turns.ts';
import { warnOfFailures } from '../domain/webhook/webhook-mail.ts';
import { deliveryPartiesOf, type Party } from '../kernel/limits/parties.ts';
import type { ChangeWatch } from './change-watch.ts';
import { HostRates, hostOf } from './host-rates.ts';
import { PageSender, type PageSenderOptions, type Wish } from './page-sender.ts';
import { settleOrCut } from './settle-or-cut.ts';
import { WebhookTurn } from './webhook-turn.ts';

export interface DeliveriesOptions extends Omit<PageSenderOptions, 'pollInterval' | 'hosts'> {
  /** Says which organizations have changed. */
  changes: Pick<ChangeWatch, 'watchAll'>;
  /** Milliseconds between polls, in addition to those that a nudge causes. */
  pollInterval?: number;
}

/**
 * How many deliveries a process has in flight, and how many of them may be of webhooks whose last try failed or took long. What
 * takes longer than a second gives its place back, up to `slow` of them: many slow endpoints would take all.
 */
const places = { all: 64, failing: 48, slow: 192 };
/** Milliseconds between two looks while all places are taken: then some may be given back. */
const fullInterval = 100;
/** Milliseconds between two looks for webhooks that fail for long. */
const warnInterval = 30_000;
/** Milliseconds that commits, and deliveries which have ended, are gathered, so that one look serves them all. */
const gather = { commits: 50, ends: 5 };
/** Milliseconds that stopping waits for endpoints. */
const patience = 3_000;

/** What a webhook waits for, and whose bounds it waits under. */
interface Waiting extends Wish {
  parties: readonly Party[];
  host: string;
}

/** How many places of the process turns take. */
function placesOf(turns: readonly WebhookTurn[]): number {
  const sending = turns.reduce((sum, each) => sum + each.sending, 0);
  const slow = turns.reduce((sum, each) => sum + each.slow, 0);
  return sending - Math.min(slow, places.slow);
}

/**
 * Sends what webhooks have to deliver, alongside other processes: takes turns of webhooks, reads what each has to send, and holds no
 * connection while an endpoint takes its time (note 0059).
 */
export class Deliveries {
  readonly #options: Required<DeliveriesOptions>;
  readonly #hosts: HostRates;
  /** The webhooks whose turn this process has. */
  readonly #turns = new Map<string, WebhookTurn>();
  readonly #running = new Set<Promise<void>>();
  readonly #sender: PageSender;
  /** The webhooks that wait for their turn. */
  readonly #waiting = new Map<string, Waiting>();
  /** The organizations whose webhooks should read; null for all. */
  #changed: Set<string> | null = null;
  #unwatch: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #gatheredAt = Number.POSITIVE_INFINITY;
  #warnAt = 0;
  /** When webhooks are looked at although nothing is known to have changed. */
  #findAt = 0;
  #stopped = true;
  /** Whether the last look failed: that is logged once. */
  #failed = false;

  constructor(options: DeliveriesOptions) {
    this.#options = { pollInterval: 1_000, ...options };
    this.#hosts = new HostRates(options.limits.enabled);
    this.#sender = new PageSender({ ...this.#options, hosts: this.#hosts });
  }

  start(): void {
    this.#stopped = false;
    this.#unwatch = this.#options.changes.watchAll((organizationIds) => this.#note(organizationIds));
    this.nudge();
  }

  /** Looks for work soon; returns before anything is sent. */
  nudge(): void {
    this.#findAt = 0;
    this.#gather(gather.commits);
  }

  /**
   * Starts nothing new and waits a few seconds for endpoints. Tries that take longer are given up, and another process
   * makes them again.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#sender.stop();
    this.#unwatch();
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    await this.#looking;
    for (const each of this.#turns.values()) each.end();
    await settleOrCut(this.#running, this.#sender.cut, patience);
    const held = [...this.#turns.values()].map((each) => each.held());
    // otherwise the turns run out
    if (held.length > 0) await takeTurns(this.#options.db, [], held, { all: 0, failing: 0 }).catch(() => undefined);
  }

  #note(organizationIds: readonly string[] | null): void {
    if (organizationIds?.length === 0) return;
    this.#remember(organizationIds);
    this.#gather(gather.commits);
  }

  #remember(organizationIds: readonly string[] | null): void {
    if (organizationIds === null) this.#changed = null;
    for (const id of organizationIds ?? []) this.#changed?.add(id);
  }

  #look(): void {
    if (this.#stopped) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#again = false;
    clearTimeout(this.#timer);
    this.#looking = this.#work()
      .then(() => {
        this.#failed = false;
      })
      .catch((error) => {
        if (!this.#failed) this.#options.log.warn({ err: error }, 'cannot look for changes to deliver');
        this.#failed = true;
      })
      .finally(() => {
        this.#looking = null;
        if (this.#stopped) return;
        this.#timer = setTimeout(() => this.#look(), Math.max(this.#findAt - performance.now(), 0));
        this.#timer.unref();
        if (this.#again) this.#gather(gather.ends);
      });
  }

  /** Finds out what there is to do if something may have changed, and each second at the least; takes turns. */
  async #work(): Promise<void> {
    const isTime = performance.now() >= this.#findAt;
    if (isTime || this.#changed?.size !== 0) await this.#find(isTime || this.#changed === null);
    await this.#take();
    await this.#warn();
  }

  /** @param all whether to look at all webhooks, or only at those of organizations that may have changed */
  async #find(all: boolean): Promise<void> {
    if (all) this.#findAt = performance.now() + this.#options.pollInterval;
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      const found = await findWork(this.#options.db, changed && [...changed], all);
      for (const work of found) this.#want(work);
    } catch (error) {
      this.#remember(changed && [...changed]);
      throw error;
    }
  }

  /** Remembers that a webhook waits for its turn, and everything that it wants of it. */
  #want({ id, organization_id, maker_id, url, reads, room, sends }: Work): void {
    // until something was delivered
    if (reads && !room) this.#changed?.add(organization_id);
    const known = this.#waiting.get(id);
    const all = { reads: (reads && room === true) || known?.reads === true, sends: sends || known?.sends === true };
    if (!all.reads && !all.sends) return;
    const parties = deliveryPartiesOf({ organizationId: organization_id, makerId: maker_id });
    this.#waiting.set(id, { ...all, parties, host: hostOf(url) });
  }

  /** Takes turns while places are free, and says of those that it has how many places they take. */
  async #take(): Promise<void> {
    const turns = [...this.#turns.values()];
    const free = {
      all: places.all - placesOf(turns),
      failing: Math.max(places.failing - placesOf(turns.filter(({ isQuick }) => !isQuick)), 0),
    };
    const wanting = free.all > 0 ? [...this.#waiting.keys()].filter((id) => this.#mayBegin(id)) : [];
    const crowded = free.all > 0 ? turns.flatMap(({ open, turn }) => (open?.isCrowded ? [turn.webhook_id] : [])) : [];
    const asking = new Set([...wanting, ...crowded]);
    const held = turns.filter((each) => each.hasToTell || asking.has(each.turn.webhook_id)).map((each) => each.held());
    if (free.all <= 0 && this.#waiting.size > 0) this.#gather(fullInterval);
    if (asking.size === 0 && held.length === 0) return;
    const taken = await takeTurns(this.#options.db, [...asking], held, free);
    for (const each of held) if (taken.known.includes(each.webhook_id)) this.#tell(each);
    for (const each of turns) if (taken.lost.includes(each.turn.webhook_id)) this.#lose(each);
    if (taken.waiting.length > 0 && free.failing === 0) this.#gather(fullInterval);
    const wishes = new Map(wanting.map((id) => [id, this.#waiting.get(id)]));
    for (const id of wanting) if (!taken.waiting.includes(id)) this.#waiting.delete(id);
    for (const turn of taken.turns) {
      const wish = wishes.get(turn.webhook_id);
      if (wish) this.#begin(turn, wish);
      else this.#turns.get(turn.webhook_id)?.grow(turn.places);
    }
  }

  /** Whether a webhook that waits can have a turn now: its organization can keep something, and its host takes more. */
  #mayBegin(id: string): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting || this.#turns.get(id)?.isFree === false) return false;
    const wait = this.#hosts.waitOf(waiting.host);
    if (wait > 0) this.#gather(wait);
    return wait === 0 && this.#options.limits.keptBytes.waitOf(waiting.parties) === 0;
  }

  /** The database knows how many places a turn takes; without any it has ended. */
  #tell({ webhook_id: id, sending }: HeldTurn): void {
    this.#turns.get(id)?.tell(sending);
    if (sending === 0) this.#turns.delete(id);
  }

  /** Another process may have the turn, or will have it. */
  #lose(held: WebhookTurn): void {
    held.end();
    const id = held.turn.webhook_id;
    if (this.#turns.get(id) === held) this.#turns.delete(id);
  }

  async #warn(): Promise<void> {
    if (performance.now() < this.#warnAt) return;
    this.#warnAt = performance.now() + warnInterval;
    if (await warnOfFailures(this.#options.db)) this.#options.outbox.nudge();
  }

  #begin(turn: Turn, wish: Wish): void {
    const held = this.#turns.get(turn.webhook_id) ?? new WebhookTurn(turn);
    this.#turns.set(turn.webhook_id, held);
    held.begin(turn);
    const running = this.#run(held, wish)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error, webhook: turn.webhook_id }, 'cannot deliver changes, or record that');
        // what is not recorded is sent again once the turn has run out
        this.#lose(held);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#gather(gather.ends);
      });
    this.#running.add(running);
  }

  async #run(held: WebhookTurn, wish: Wish): Promise<void> {
    const { turn } = held;
    const page = await this.#sender.read(held, wish);
    held.opened(page);
    if (!page) {
      this.#want({ ...turn, ...wish, id: turn.webhook_id, room: true });
      return;
    }
    if (this.#stopped) page.end();
    await this.#sender.send(held, page, (left) => this.#goOn(turn, left));
  }

  /** What a page has left is for the next turn, and so is what waited for a change that took long. */
  #goOn(turn: Turn, { reads, sends }: Wish): void {
    const { webhook_id: id, organization_id, waits } = turn;
    // whether there is room is looked up where anything waits
    if (waits && reads) this.#changed?.add(organization_id);
    this.#want({ ...turn, id, reads: reads && !waits, room: true, sends });
    this.#gather(gather.ends);
  }

  /** Looks for work once what happens now has happened. */
  #gather(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.#stopped || this.#gatheredAt <= at) return;
    this.#gatheredAt = at;
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => {
      this.#gatheredAt = Number.POSITIVE_INFINITY;
      this.#look();
    }, milliseconds);
  }
}
