import type { Delivery } from '../../kernel/delivery.ts';

/** Milliseconds and bytes a second: an export whose client takes less than this for so long is ended. */
const floor = { over: 60_000, speed: 8 * 1024 };
/** One that takes less than this for so long is ended if somebody waits; any faster one never is. */
const slow = { over: 5_000, speed: 1024 * 1024 };
/** Milliseconds between looks at one that runs, and for which somebody waits before one is ended; less than the wait lasts. */
const interval = { running: 5_000, waiting: 2_000 };

/** The time over which the speed of a client must be known. */
export const rememberedTime = floor.over;

/** An export that holds a connection. */
export interface RunningExport {
  organizationId: string | null;
  delivery: Delivery;
  end(): void;
}

/** Ends exports whose clients read so slowly that they keep others from exporting (note 0030). */
export class SlowReaders {
  readonly #running = new Set<RunningExport>();
  readonly #connections: number;

  /** @param connections how many exports can run at once */
  constructor(connections: number) {
    this.#connections = connections;
  }

  /** Watches an export; returns what ends that. */
  watch(running: RunningExport): () => void {
    this.#running.add(running);
    const look = setInterval(() => {
      if (isBelow(running, floor)) running.end();
    }, interval.running);
    return () => {
      clearInterval(look);
      this.#running.delete(running);
    };
  }

  /** Ends slow exports until somebody's turn comes: one every few seconds. Returns what ends that. */
  makeRoom(organizationId: string | null): () => void {
    const timer = setInterval(() => this.#slowest(organizationId)?.end(), interval.waiting);
    return () => clearInterval(timer);
  }

  /** The slowest of those that keep somebody waiting: if a connection is free, those of the own organization. */
  #slowest(organizationId: string | null): RunningExport | undefined {
    const isFull = this.#running.size >= this.#connections;
    return [...this.#running]
      .filter((each) => (isFull || each.organizationId === organizationId) && isBelow(each, slow))
      .sort((a, b) => (a.delivery.speed(slow.over) ?? 0) - (b.delivery.speed(slow.over) ?? 0))[0];
  }
}

function isBelow({ delivery }: RunningExport, { over, speed }: { over: number; speed: number }): boolean {
  const measured = delivery.speed(over);
  return measured !== null && measured < speed;
}
