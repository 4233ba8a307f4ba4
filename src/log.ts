import pino, { type Logger } from 'pino';

/** Lines are written once there are so many bytes of them, and after so many milliseconds at the latest. */
const buffer = { minLength: 4096, periodicFlush: 100 };

/** The log on standard output, and what writes out at once the lines that still wait; the end of the process does, too. */
export function createLog(level: string): { log: Logger; flush(): void } {
  const output = pino.destination({ dest: 1, sync: false, ...buffer });
  return { log: pino({ level }, output), flush: () => output.flushSync() };
}
