import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';

/** Batches calls: `run` gets the items collected until `milliseconds` after `limit` lets it start. Each call settles with its batch. */
export function batched<Item>(
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
