import type { Database } from '../../src/engine/database.ts';
import { noticeLane } from '../../src/jobs/notices.ts';
import type { Log } from '../../src/kernel/request.ts';
import { silentLog } from './log.ts';

/** Queues the mails of notices as a process does, piece by piece; returns whether there was one. */
export function noticeWalker(db: Database, log: Log = silentLog) {
  const lane = noticeLane({ db, log, bounded: true, nudge: () => undefined });
  return async (): Promise<boolean> => {
    const jobs = await lane.queue.claim(1);
    for (const job of jobs) await lane.run(job, new AbortController().signal, (record) => record());
    return jobs.length > 0;
  };
}

/** Queues the mails of all notices that are due; returns how many pieces there were. */
export async function queueNotices(db: Database, log: Log = silentLog): Promise<number> {
  const walk = noticeWalker(db, log);
  let pieces = 0;
  while (await walk()) pieces += 1;
  return pieces;
}
