import type { HeldTurn, Turn } from '../domain/webhook/turns.ts';
import type { Page } from './page.ts';

/** The turn of a webhook, while this process has it. */
export class WebhookTurn {
  turn: Turn;
  /** The places of a page that is being read. */
  reading = 0;
  open: Page | null = null;
  /** Pages that have deliveries in flight, also the open one. */
  readonly pages = new Set<Page>();
  /** How many places the database knows of. */
  told = 0;

  constructor(turn: Turn) {
    this.turn = turn;
  }

  /** How many places it takes; at least one until what the open page has done is recorded. */
  get sending(): number {
    const places = [...this.pages].reduce((sum, page) => sum + page.sending, this.reading);
    return Math.max(places, this.open ? 1 : 0);
  }

  /** Whether it can begin a page. */
  get isFree(): boolean {
    return this.open === null && this.reading === 0;
  }

  get busy(): Page['busy'] {
    return [...this.pages].flatMap(({ busy }) => busy);
  }

  /** Begins nothing more. */
  end(): void {
    for (const page of this.pages) page.end();
  }

  held(): HeldTurn {
    const { webhook_id, organization_id, turn } = this.turn;
    return { webhook_id, organization_id, turn, sending: this.sending };
  }
}
