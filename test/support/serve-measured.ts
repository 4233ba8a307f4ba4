// The service of serve.ts, for a parent that asks how much memory it has in use: node --expose-gc serve-measured.ts
import './serve.ts';

const collect = globalThis.gc as () => void;

process.on('message', async () => {
  // what one collection finalizes is gone with the next
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
