import { setTimeout as sleep } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { plainLine } from './plain-line.ts';

/** In bytes and milliseconds. If the output accepts nothing (a full disk, a hanging pipe), lines beyond `maxLength` are dropped. */
const buffer = { minLength: 4096, periodicFlush: 100, maxLength: 8_000_000 };

/** Milliseconds that a flush waits for the output. */
const patience = 1_000;

export interface ServiceLog {
  log: Logger;
  /** Writes buffered lines, unless the output accepts nothing for a second. */
  flush(): Promise<void>;
}

/** The log on standard output, as JSON except on a terminal. The service survives a failing output. */
export function createLog(level: string): ServiceLog {
  // the first access makes a pipe non-blocking
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore);
  if (process.stdout.isTTY) return plainLog(level);
  // the next flush retries
  const output = pino.destination({ dest: 1, sync: false, ...buffer, retryEAGAIN: () => false });
  const log = pino({ level }, output);
  let takesLines = true;
  let dropped = 0;
  output.on('error', () => {
    takesLines = false;
  });
  output.on('write', () => {
    takesLines = true;
  });
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped > 0) log.warn({ lines: dropped }, 'log lines were dropped: the output accepted nothing for too long');
    dropped = 0;
  });
  const flushSync = output.flushSync.bind(output);
  // pino calls it at the exit; on a full disk it would retry forever
  output.flushSync = () => {
    try {
      if (takesLines) flushSync();
    } catch {
      // the reader of the pipe hangs
    }
  };
  // the error of `flush` may only say that a pipe cannot be synced
  const flushed = () => new Promise<boolean>((resolve) => output.flush(() => resolve(takesLines)));
  const untilFlushed = async (end: number) => {
    while (!(await flushed()) && performance.now() < end) await sleep(20);
  };
  return {
    log,
    flush: async () => {
      await Promise.race([untilFlushed(performance.now() + patience), sleep(patience, undefined, { ref: false })]);
    },
  };
}

function ignore(): void {}

function plainLog(level: string): ServiceLog {
  const log = pino({ level }, { write: (json) => void process.stdout.write(plainLine(json)) });
  return { log, flush: async () => undefined };
}
