import sql, { type Sql } from 'sql-template-tag';
import { isAdvancing } from '../domain/event/fan-out-notice.ts';
import type { BudgetedMail } from '../domain/mail/mail-budgets.ts';
import { OrganizationTurns } from '../domain/mail/organization-turns.ts';
import { digestKind } from '../domain/subscription/queue-mails.ts';
import type { Database } from '../engine/database.ts';
import { gatherMails } from './gather-mails.ts';

/** A mail to send, claimed by this process. */
export interface Job extends BudgetedMail {
  id: string;
  kind: string;
  data: unknown;
  /** The number of attempts, including this one; it identifies the claim. */
  attempts: number;
  /**
   * Whether it counts for the budgets. A mail whose last attempt failed was counted; a process that died and recorded
   * nothing may have died before it counted, or before it postponed what is beyond a budget.
   */
  counts: boolean;
}

/** A mail that a claim examined, and what became of it. */
interface Claimed extends Job {
  taken: 'sent' | 'held' | 'gathered' | 'awaits';
  /** Until the mail that this one waits for is due. */
  seconds: number | null;
}

/** Ends the reason of a mail whose server could not be reached. */
const away = 'CONN';

/** How many due mails of an organization a claim examines to find those that are not held back. */
const examinedAtOnce = 25;

const claimed = sql`job.id, job.organization_id, (select o.maker_id from organization o where o.id = job.organization_id) as maker_id,
  job.recipient, job.kind, job.data, job.attempts, counts`;
/** Looked at before a claim clears the reason. */
const counts = sql`error is null as counts`;

/** Whether notices of an earlier change of the event of the mail `due` are still being queued. */
const awaitsNotice = sql`exists (
    select from subscription s join notice_fan_out f on f.event_id = s.event_id
    where s.id = due.about and f.position < due.position and ${isAdvancing(sql`f`)}
      and (f.after_id is null or (s.created_at, s.id) > (f.after_created_at, f.after_id))
  )`;

/**
 * The table `mail_job`, shared by several processes. A claim postpones the due time of a job, so that the job is found
 * again when the claim expires.
 */
export class MailQueue {
  readonly #db: Database;
  readonly #lease: Sql;
  readonly #guests = new OrganizationTurns(sql`from mail_job where recipient is null and due_at is not null`);
  readonly #events = new OrganizationTurns(sql`from mail_job where recipient is not null and due_at is not null`);

  /** @param lease seconds for which a claim is valid */
  constructor(db: Database, lease: number) {
    this.#db = db;
    this.#lease = sql`now() + make_interval(secs => ${lease})`;
  }

  /** Claims up to `count` due mails about accounts and invitations that no other process has claimed. */
  claimLinks(count: number): Promise<Job[]> {
    return this.#db.rows<Job>(sql`with due as (
            select job.id, ${counts} from mail_job job where organization_id is null and due_at <= now()
            order by due_at limit ${count} for update skip locked
          )
          update mail_job job set attempts = attempts + 1, error = null, due_at = ${this.#lease}
          from due where job.id = due.id
          returning ${claimed}`);
  }

  /**
   * Claims up to `count` due mails to guests who are not proven yet; organizations take turns.
   *
   * @param except organizations whose mails are postponed
   */
  claimGuests(count: number, except: readonly string[] = []): Promise<Job[]> {
    return this.#guests.take(
      this.#db,
      (turns) =>
        this.#db.rows<Job>(sql`with due as (
            select job.id, counts, row_number() over (partition by turn.organization_id order by job.due_at) as place
            from (${turns}) turn cross join lateral (
              select id, due_at, ${counts} from mail_job
              where organization_id = turn.organization_id and recipient is null and due_at <= now()
              order by due_at limit ${count} for update skip locked
            ) job
          )
          update mail_job job set attempts = attempts + 1, error = null, due_at = ${this.#lease}
          from (select id, counts from due order by place limit ${count}) due where job.id = due.id
          returning ${claimed}`),
      { except, count },
    );
  }

  /**
   * Claims up to `count` due mails about subscriptions; organizations take turns. The mails of an organization to one
   * recipient are sent in the order of the changes: until a mail is sent or given up, later ones are held back, and
   * then the next is released. A mail that is held back is no longer due, so however many there are, each is examined
   * once. One that was queued beside a waiting digest becomes part of it. `more` says whether others may be due.
   *
   * @param except organizations whose mails are postponed
   */
  async claimEvents(count: number, except: readonly string[] = []): Promise<{ jobs: Job[]; more: boolean }> {
    const taken = await this.#events.take(
      this.#db,
      (turns) => this.#db.rows<Claimed>(this.#claimEvents(turns, count)),
      { except, count },
    );
    for (const each of taken) if (each.taken === 'gathered') await this.gather(each, each.seconds ?? 0);
    // an earlier mail may have been sent after this statement saw it, but before it could see the later one held back
    await this.#release(taken.filter((each) => each.taken === 'held').map(({ id }) => id));
    return { jobs: taken.filter((each) => each.taken === 'sent'), more: taken.length > 0 };
  }

  #claimEvents(turns: Sql, count: number): Sql {
    return sql`with due as (
        select job.* from (${turns}) turn cross join lateral (
          select id, about, organization_id, recipient, position, attempts, due_at, ${counts} from mail_job
          where organization_id = turn.organization_id and recipient is not null and due_at <= now()
          order by due_at, position limit ${examinedAtOnce} for update skip locked
        ) job
      ), examined as (
        select due.*, ${awaitsNotice} as awaits, first.due_at as first_due_at, first.gathers from due left join lateral (
          select earlier.due_at, due.attempts = 0 and earlier.kind = ${digestKind} and earlier.attempts = 0
            and earlier.due_at > now() as gathers
          from mail_job earlier
          where earlier.organization_id = due.organization_id and earlier.recipient = due.recipient
            and (earlier.position, earlier.id) < (due.position, due.id) and earlier.due_at is not null
          order by earlier.position, earlier.id limit 1
        ) first on true
      ), taken as (
        select id, 'sent' as taken, ${this.#lease} as due_at, null::float8 as seconds, counts from (
          select id, counts from examined where first_due_at is null and not awaits
          order by row_number() over (partition by organization_id order by due_at, position) limit ${count}
        ) heads
        union all select id, case when gathers then 'gathered' else 'held' end, greatest(first_due_at, ${this.#lease}),
          extract(epoch from first_due_at - now()), counts from examined where first_due_at is not null
        union all select id, 'awaits', now() + interval '1 second', null, counts from examined where first_due_at is null and awaits
      )
      update mail_job job set held = taken in ('held', 'gathered'), attempts = attempts + (taken = 'sent')::int,
        error = case taken when 'sent' then null else error end, due_at = taken.due_at
      from taken where job.id = taken.id
      returning ${claimed}, taken, seconds`;
  }

  /** Makes mails due that are held back without reason; returns whether there were any. */
  async #release(ids: string[]): Promise<boolean> {
    if (ids.length === 0) return false;
    const released =
      await this.#db.rows(sql`update mail_job job set held = false, due_at = date_trunc('milliseconds', now())
          where id = any(${ids}::uuid[]) and held and not exists (
            select from mail_job earlier
            where earlier.organization_id = job.organization_id and earlier.recipient = job.recipient
              and (earlier.position, earlier.id) < (job.position, job.id) and earlier.due_at is not null
          ) returning id`);
    return released.length > 0;
  }

  /** Renews a claim; returns whether it still existed. */
  async renew({ id, attempts }: Job): Promise<boolean> {
    const renewed = await this.#db.row(sql`update mail_job set due_at = ${this.#lease}
          where id = ${id} and attempts = ${attempts} returning id`);
    return renewed !== undefined;
  }

  /** Makes mails due that budgets have postponed. */
  async hurry(): Promise<void> {
    await this.#db.rows(sql`update mail_job set due_at = date_trunc('milliseconds', now())
        where attempts = 0 and not held and due_at > now()`);
  }

  /**
   * Makes mails due that wait for a mail server which is back. Claimed ones have no error. The try that did not reach the
   * server is not counted: a server that comes and goes must not use up all tries of a mail within minutes.
   */
  async resume(): Promise<void> {
    await this.#db.rows(sql`update mail_job set due_at = date_trunc('milliseconds', now()), attempts = greatest(attempts - 1, 1)
        where due_at > now() and error like ${`% ${away}`} and not held`);
  }

  /** Deletes a mail that was sent or has no recipient; returns whether another was held back for it and is now due. */
  async remove(job: Job): Promise<boolean> {
    await this.#db.row(sql`delete from mail_job where id = ${job.id}`);
    return await this.#releaseNext(job);
  }

  /** Postpones a mail without counting an attempt. */
  async postpone(job: Job, seconds: number): Promise<void> {
    // another digest may be waiting by now
    if (job.kind === digestKind) return await this.gather(job, seconds);
    const { id, attempts } = job;
    await this.#db.row(sql`update mail_job set attempts = attempts - 1, due_at = now() + make_interval(secs => ${seconds})
          where id = ${id} and attempts = ${attempts}`);
  }

  /** Makes a mail and all others that wait for its recipient one digest, due after some seconds. */
  async gather(job: Job, seconds: number): Promise<void> {
    await gatherMails(this.#db, job, seconds);
  }

  /** Schedules a retry of a failed mail, unless another process has claimed it since. */
  async fail({ id, attempts }: Job, reason: string, delay: number): Promise<void> {
    await this.#db.row(sql`update mail_job set error = ${reason}, due_at = now() + make_interval(secs => ${delay})
          where id = ${id} and attempts = ${attempts}`);
  }

  /** Gives up a failed mail, with the same exception; returns whether another was held back for it and is now due. */
  async giveUp(job: Job, reason: string): Promise<boolean> {
    await this.#db.row(
      sql`update mail_job set error = ${reason}, due_at = null where id = ${job.id} and attempts = ${job.attempts}`,
    );
    return await this.#releaseNext(job);
  }

  /** A separate statement, so that it sees mails that were held back until the previous statement ended. */
  async #releaseNext({ organization_id, recipient }: Job): Promise<boolean> {
    if (recipient === null) return false;
    const next = await this.#db.row<{ id: string }>(sql`select id from mail_job
          where organization_id = ${organization_id} and recipient = ${recipient} and due_at is not null
          order by position, id limit 1`);
    return next !== undefined && (await this.#release([next.id]));
  }
}
