// The service of serve.ts, for a parent that asks how long its thread was busy at a time since it last asked.
import './serve.ts';

/**
 * Milliseconds of the longest turn. Counted in the thread's own processor time, so that other processes on a busy
 * machine do not count.
 */
let longest = 0;
let last = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(last);
  longest = Math.max(longest, (user + system) / 1000);
  last = process.threadCpuUsage();
}, 1);

process.on('message', () => {
  // a turn that is over is counted by the next tick
  setTimeout(() => {
    process.send?.(longest);
    longest = 0;
  }, 3);
});
