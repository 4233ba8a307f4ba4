import type { Log } from '../../src/kernel/request.ts';

const ignore = () => undefined;

/** For what has to have a log that nobody reads. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
