/**
 * The milliseconds of this thread's processor time that some work takes at best: once if that is less than `enough`, and up to eight
 * times otherwise, since a machine that is busy or has just compiled the code takes longer.
 */
export function processorTime(enough: number, work: (round: number) => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8 && shortest > enough; round += 1) {
    const before = process.threadCpuUsage();
    work(round);
    const { user, system } = process.threadCpuUsage(before);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  return shortest;
}
