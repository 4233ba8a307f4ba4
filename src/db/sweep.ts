import type { Log } from '../domain/context.ts';
import type { Orm } from './orm.ts';

const interval = 10 * 60_000;

const statements = [
  'delete from "one_time_token" where "expires_at" < now()',
  'delete from "rate_limit" where "expire" < extract(epoch from now()) * 1000',
  // mails that were given up: long enough to be asked about
  `delete from "mail_job" where "due_at" is null and "created_at" < now() - interval '30 days'`,
];

/** Removes what is over: tokens, counters and mails that were given up. */
export async function sweep(orm: Orm): Promise<void> {
  for (const statement of statements) await orm.em.fork().execute(statement);
}

/** Sweeps every ten minutes until it is told to stop. */
export function startSweeping(orm: Orm, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep(orm).catch((error: unknown) => log.warn({ err: error }, 'cannot remove what is over'));
  }, interval);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
