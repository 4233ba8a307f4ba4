import { type HeldTurn, lease, type Turn } from '../domain/webhook/turns.ts';
import type { Page } from './page.ts';

/** The turn of a webhook, while this process has it. */
export class WebhookTurn {
  turn: Turn;
  /** The places of a page that is being read. */
  reading = 0;
  /** The page that may still begin something, or of which the place is not recorded yet. */
  open: Page | null = null;
  /** Pages that have deliveries in flight, also the open one. */
  readonly pages = new Set<Page>();
  /** How many places the database knows of, and when it has to hear of them again. */
  #told = 0;
  #renewAt = 0;
  #begunAt = 0;
  #isOver = false;

  constructor(turn: Turn) {
    this.turn = turn;
  }

  /** How many places it takes; at least one until what the open page has done is recorded. */
  get sending(): number {
    const places = [...this.pages].reduce((sum, page) => sum + page.sending, this.reading);
    return Math.max(places, this.open ? 1 : 0);
  }

  /** How many of these are taken by deliveries that take longer than a second. */
  get slow(): number {
    return [...this.pages].reduce((sum, page) => sum + page.slow, 0);
  }

  /** Whether the last try was delivered, and within a second. */
  get isQuick(): boolean {
    return this.turn.healthy && this.turn.quick;
  }

  /** Whether it can begin a page. */
  get isFree(): boolean {
    return this.open === null && this.reading === 0;
  }

  get busy(): Page['busy'] {
    return [...this.pages].flatMap(({ busy }) => busy);
  }

  /** Whether the database has to be told of its places, or that it goes on. */
  get hasToTell(): boolean {
    return this.sending !== this.#told || performance.now() >= this.#renewAt;
  }

  /** The database knows how many places it takes. */
  tell(sending: number): void {
    this.#told = sending;
    this.#renewAt = performance.now() + lease.renewed * 1000;
  }

  /** Begins to read a page. */
  begin(turn: Turn): void {
    this.turn = turn;
    this.reading = turn.places;
    this.#begunAt = performance.now();
    this.#isOver = false;
    this.tell(this.#told + turn.places);
  }

  /** Opens the page that was read, if it could be. In one step, so that its places are not given away. */
  opened(page: Page | null): void {
    this.reading = 0;
    this.open = page;
    if (!page) return;
    this.pages.add(page);
    // a process that was stopped meanwhile must not send beside another one
    const isLate = performance.now() - this.#begunAt > (lease.valid * 1000) / 2;
    if (this.#isOver || isLate) page.end();
  }

  /** Adds places to the open page. */
  grow(places: number): void {
    this.tell(this.#told + places);
    this.open?.grow(places);
  }

  /** Begins nothing more, also of a page that is being read. */
  end(): void {
    this.#isOver = true;
    for (const page of this.pages) page.end();
  }

  held(): HeldTurn {
    const { webhook_id, organization_id, turn } = this.turn;
    return { webhook_id, organization_id, turn, sending: this.sending };
  }
}
