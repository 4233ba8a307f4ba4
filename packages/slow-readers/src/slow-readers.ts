import { type Delivery, longest } from './delivery.ts';

/** A download is ended if its client reads less than `speed` bytes per second over `over` milliseconds. */
const floor = { over: longest, speed: 8 * 1024 };
/** The same if others are waiting for one; faster ones are never ended. */
const slow = { over: 5_000, speed: 1024 * 1024 };
/** Milliseconds between checks of a running download, and while another one waits; both less than the wait lasts. */
const interval = { running: 5_000, waiting: 2_000 };

export interface RunningDownload {
  /** Who downloads; null if nobody shares with others. */
  party: string | null;
  delivery: Delivery;
  end(): void;
}

/** Ends downloads whose clients read so slowly that they keep others waiting. */
export class SlowReaders {
  readonly #running = new Set<RunningDownload>();
  readonly #connections: number;

  /** @param connections how many downloads can run at once */
  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Watches a download; returns a function that stops watching. */
  watch(running: RunningDownload): () => void {
    this.#running.add(running);
    const look = setInterval(() => {
      if (isBelow(running, floor)) running.end();
    }, interval.running);
    return () => {
      clearInterval(look);
      this.#running.delete(running);
    };
  }

  /** Ends slow downloads, one every few seconds, until the returned function is called. */
  makeRoom(party: string | null): () => void {
    const timer = setInterval(() => this.#slowest(party)?.end(), interval.waiting);
    return () => clearInterval(timer);
  }

  /** If a connection is free, only of the same party, which must not have the last one. */
  #slowest(party: string | null): RunningDownload | undefined {
    const isFull = this.#running.size >= this.#connections;
    return [...this.#running]
      .filter((each) => (isFull || each.party === party) && isBelow(each, slow))
      .sort((a, b) => (a.delivery.speed(slow.over) ?? 0) - (b.delivery.speed(slow.over) ?? 0))[0];
  }
}

function isBelow({ delivery }: RunningDownload, { over, speed }: { over: number; speed: number }): boolean {
  const measured = delivery.speed(over);
  return measured !== null && measured < speed;
}
