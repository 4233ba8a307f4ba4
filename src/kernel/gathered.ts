import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';

/** A function that calls `run` for the items of several calls, `milliseconds` after `limit` lets it begin; each call waits for its end. */
export function gathered<Item>(
  limit: LimitFunction,
  milliseconds: number,
  run: (items: Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let next: { items: Item[]; ended: Promise<void> } | null = null;
  return (item) => {
    if (!next) {
      const items: Item[] = [];
      const ended = limit(async () => {
        await sleep(milliseconds);
        next = null;
        await run(items);
      });
      next = { items, ended };
    }
    next.items.push(item);
    return next.ended;
  };
}
