import type { Pool } from 'pg';
import { afterEach, beforeEach, expect } from 'vitest';
import { PostgresDatabase } from '#postgres-access';
import { readSettings } from '../../src/config/settings.ts';
import type { Orm } from '../../src/db/orm.ts';
import { fanOutNotice } from '../../src/domain/event/fan-out-notice.ts';
import { MailBudgets } from '../../src/domain/mail/mail-budgets.ts';
import { LinkTokens } from '../../src/domain/subscription/link-tokens.ts';
import { mailJobs } from '../../src/domain/subscription/queue-mails.ts';
import type { SubscriptionStatus } from '../../src/domain/subscription/subscription.entity.ts';
import { changeMail } from '../../src/domain/subscription/subscription-mail.ts';
import type { Database } from '../../src/engine/database.ts';
import type { LaneName } from '../../src/engine/jobs/job.table.ts';
import { mailLanes } from '../../src/jobs/mails.ts';
import { noticeLane } from '../../src/jobs/notices.ts';
import { Runner } from '../../src/jobs/runner.ts';
import { Limits } from '../../src/kernel/limits/limits.ts';
import type { Log } from '../../src/kernel/request.ts';
import { createMailer, type Mailer } from '../../src/mail/mailer.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { insertEvent, insertMembership, insertOrganization, insertSubscription, insertUser } from './fixtures.ts';
import { silentLog } from './log.ts';
import { startSmtp, type TestSmtp } from './smtp.ts';

const { bounds } = readSettings({ NODE_ENV: 'test' });

interface Process {
  /** Whether mails are counted. */
  limited?: boolean;
  /** How many mails to subscribers an organization may send in an hour. */
  subscribers?: number;
  /** Milliseconds between looks for mails that others queued. */
  pollInterval?: number;
}

interface QueuedChange {
  status: SubscriptionStatus;
  /** The status that the mail before it told. */
  told: SubscriptionStatus | null;
  /** Whether the budget of the recipient counts. */
  bounded: boolean;
}

/**
 * A database, a mail server, and outboxes that send through it, as those of several processes do; each test of the file has its
 * own.
 */
export function useOutboxes() {
  const own = {} as { orm: Orm; db: Database; smtp: TestSmtp };
  let database: TestDatabase;
  let mailer: Mailer;
  let outboxes: Runner[];
  beforeEach(async () => {
    database = await createTestDatabase();
    const smtp = await startSmtp();
    Object.assign(own, { orm: database.orm, db: new PostgresDatabase(database.orm), smtp });
    const server = { host: '127.0.0.1', port: smtp.port, tls: 'offered' as const, credentials: null };
    mailer = createMailer({ smtp: server, from: null, dir: '', publicUrl: 'http://events.test' });
    outboxes = [];
  });
  afterEach(async () => {
    await Promise.all(outboxes.map((each) => each.stop()));
    mailer.close();
    await own.smtp.close();
    await database.drop();
  });

  const execute = <Row>(statement: string, values: unknown[] = []) => database.execute<Row>(statement, values);
  const counted = async (statement: string) =>
    (await execute<{ n: number }>(`select count(*)::int as n ${statement}`))[0]?.n;

  /** The outbox of a new process, which has counted nothing yet. */
  async function startOutbox({ limited = true, subscribers = 1000, pollInterval = 50 }: Process = {}) {
    const pool: Pool = await own.orm.driver.getConnection().getNativeClient();
    const limits = new Limits(limited ? pool : null, bounds);
    const budgets = new MailBudgets({ db: own.db, limits, perHour: { subscribers, guests: 100 } });
    const lanes = mailLanes({
      db: own.db,
      mailer,
      limits,
      services: () => ({ linkTokens: new LinkTokens('x') }),
      budgets,
      publicUrl: 'http://events.test',
      log: silentLog,
      nudge: (lane: LaneName) => outbox.nudge(lane),
    });
    const outbox: Runner = new Runner({ db: own.db, lanes, log: silentLog, pollInterval });
    outboxes.push(outbox);
    outbox.start();
    return { outbox, budgets };
  }

  /** An event, and somebody who has a place. */
  async function world(member = true) {
    const { id: organizationId } = await insertOrganization(own.orm, { name: 'Minix <b>' });
    const dateStart = new Date('2031-06-01T10:00:00Z');
    const { id: eventId } = await insertEvent(own.orm, { organizationId, name: 'Open <i>Day', dateStart });
    const { id: userId, email } = await insertUser(own.orm);
    if (member) await insertMembership(own.orm, { organizationId, userId });
    const { id: subscriptionId } = await insertSubscription(own.orm, { eventId, userId });
    return { organizationId, eventId, subscriptionId, email };
  }

  /** Switches an event as a command does; its notice is not queued yet. */
  async function commitSwitch(eventId: string, status: 1 | 2): Promise<void> {
    await own.db.transaction(async (unit) => {
      await unit.em.execute('update event set status = ? where id = ?', [status, eventId]);
      const notice = status === 2 ? 'cancelled' : 'reinstated';
      await fanOutNotice({ db: unit, bounded: true }, eventId, notice, { cancelled: status === 1 });
    });
  }

  /** Switches an event, and queues its notice. */
  async function switchTo(eventId: string, status: 1 | 2): Promise<void> {
    await commitSwitch(eventId, status);
    await queueNotices(own.db);
  }

  /** Queues a mail about a subscription, as a write that changes its status does. */
  const queueChange = (
    subscriptionId: string,
    { status = 'accepted', told = 'pending', bounded = true }: Partial<QueuedChange> = {},
  ) =>
    own.db.run(mailJobs(changeMail, [{ subscriptionId, status, by: 'manager', told: { status: told } }], { bounded }));

  const mailsTo = (email: string) => own.smtp.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail);
  const unsettled = () => counted(`from job where lane ~ 'mails' and (attempts > 0 or held or due_at <= now())`);
  const settle = (left: number) => expect.poll(unsettled, { interval: 25 }).toBe(left);
  /** Makes all mails due that wait. */
  const hurry = () => execute("update job set due_at = date_trunc('milliseconds', now()) where lane ~ 'mails'");
  /** An hour goes by. */
  async function anHourLater(): Promise<void> {
    await Promise.all(outboxes.splice(0).map((each) => each.stop()));
    await execute('delete from rate_limit');
    await hurry();
  }

  const tools = { execute, counted, startOutbox, world, commitSwitch, switchTo, queueChange, mailsTo, settle, hurry };
  return Object.assign(own, tools, { anHourLater });
}

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
