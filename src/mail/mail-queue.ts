import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../domain/database.ts';

/** A mail to send, claimed by this process. */
export interface Job {
  id: string;
  kind: string;
  data: unknown;
  /** The number of attempts, including this one; it identifies the claim. */
  attempts: number;
}

/** How many mails about subscriptions a claim looks at, to find those that are not held back. */
const examinedAtOnce = 100;

/**
 * The table `mail_job`, shared by several processes. A claim moves the due time of a job, so that it is found again when the
 * claim expires.
 */
export class MailQueue {
  readonly #db: Database;
  readonly #lease: number;

  /** @param lease seconds for which a claim is valid */
  constructor(db: Database, lease: number) {
    this.#db = db;
    this.#lease = lease;
  }

  /** Claims up to `count` due mails that no other process has claimed, and that are not about subscriptions. */
  claimFirst(count: number): Promise<Job[]> {
    return this.#db.rows<Job>(sql`update mail_job set attempts = attempts + 1, due_at = now() + make_interval(secs => ${this.#lease})
          where id in (
            select id from mail_job where about is null and due_at <= now()
            order by due_at limit ${count} for update skip locked
          )
          returning id, kind, data, attempts`);
  }

  /**
   * Claims up to `count` due mails about subscriptions, likewise. Those about one leave in the order of its changes: while
   * one has not been sent or given up, the later ones are held back, and it wakes the next. However many there are, each is
   * looked at once: what is held back is due no longer. Whether `more` may be due is said, too.
   */
  async claimOrdered(count: number): Promise<{ jobs: Job[]; more: boolean }> {
    const taken = await this.#db.rows<Job & { held: boolean }>(sql`with due as (
            select id, about, position from mail_job where about is not null and due_at <= now()
            order by due_at, position limit ${examinedAtOnce} for update skip locked
          ), examined as (
            select id, (
              select earlier.due_at from mail_job earlier
              where earlier.about = due.about and earlier.position < due.position and earlier.due_at is not null
              order by earlier.position limit 1
            ) as first_due_at from due
          ), taken as (
            select id, null::timestamptz as first_due_at from (
              select id from examined where first_due_at is null limit ${count}
            ) heads
            union all select id, first_due_at from examined where first_due_at is not null
          )
          update mail_job job set attempts = attempts + (first_due_at is null)::int,
            due_at = greatest(first_due_at, now() + make_interval(secs => ${this.#lease}))
          from taken where job.id = taken.id
          returning job.id, kind, data, attempts, first_due_at is not null as held`);
    const jobs = taken.filter(({ held }) => !held);
    return { jobs, more: jobs.length === count || taken.length === examinedAtOnce };
  }

  /** Renews a claim; returns whether it still existed. */
  async renew({ id, attempts }: Job): Promise<boolean> {
    const renewed = await this.#db.row(sql`update mail_job set due_at = now() + make_interval(secs => ${this.#lease})
          where id = ${id} and attempts = ${attempts} returning id`);
    return renewed !== undefined;
  }

  /** Deletes a mail that was sent, or has no recipient; returns whether another was held back for it, and is due now. */
  remove({ id }: Job): Promise<boolean> {
    return this.#wakeNext(sql`delete from mail_job where id = ${id} returning id, about`);
  }

  /** Postpones a mail without counting an attempt. */
  async postpone({ id, attempts }: Job, seconds: number): Promise<void> {
    await this.#db.row(sql`update mail_job set attempts = attempts - 1, due_at = now() + make_interval(secs => ${seconds})
          where id = ${id} and attempts = ${attempts}`);
  }

  /** Schedules a retry of a failed mail, unless another process has claimed it since. */
  async fail({ id, attempts }: Job, reason: string, delay: number): Promise<void> {
    await this.#db.row(sql`update mail_job set error = ${reason}, due_at = now() + make_interval(secs => ${delay})
          where id = ${id} and attempts = ${attempts}`);
  }

  /** Gives up a mail, likewise; returns whether another was held back for it, and is due now. */
  giveUp({ id, attempts }: Job, reason: string): Promise<boolean> {
    return this.#wakeNext(sql`update mail_job set error = ${reason}, due_at = null
          where id = ${id} and attempts = ${attempts} returning id, about`);
  }

  /** @param done a statement that returns the mail for which later ones about the same subscription are held back */
  async #wakeNext(done: Sql): Promise<boolean> {
    const woken = await this.#db.row(sql`with done as (${done})
          update mail_job set due_at = date_trunc('milliseconds', now()) where id = (
            select next.id from mail_job next join done on next.about = done.about
            where next.id <> done.id and next.due_at is not null order by next.position limit 1
          ) returning id`);
    return woken !== undefined;
  }
}
