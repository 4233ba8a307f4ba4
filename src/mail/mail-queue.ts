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
    return this.#claim(sql`select id from mail_job where about is null and due_at <= now()
          order by due_at limit ${count} for update skip locked`);
  }

  /**
   * Claims up to `count` due mails about subscriptions, likewise. Those about one leave in the order of its changes: none
   * is claimed while an earlier one has not been sent or given up. The more wait for an earlier one, the longer this takes.
   */
  claimOrdered(count: number): Promise<Job[]> {
    return this.#claim(sql`select id from mail_job job where about is not null and due_at <= now() and not exists (
            select from mail_job earlier
            where earlier.about = job.about and earlier.position < job.position and earlier.due_at is not null
          ) order by due_at limit ${count} for update skip locked`);
  }

  #claim(due: Sql): Promise<Job[]> {
    return this.#db.rows<Job>(sql`update mail_job set attempts = attempts + 1, due_at = now() + make_interval(secs => ${this.#lease})
          where id in (${due}) returning id, kind, data, attempts`);
  }

  /** Renews a claim; returns whether it still existed. */
  async renew({ id, attempts }: Job): Promise<boolean> {
    const renewed = await this.#db.row(sql`update mail_job set due_at = now() + make_interval(secs => ${this.#lease})
          where id = ${id} and attempts = ${attempts} returning id`);
    return renewed !== undefined;
  }

  /** Deletes a mail that was sent, or has no recipient; returns whether another has waited for it. */
  async remove({ id }: Job): Promise<boolean> {
    const removed = await this.#db.row<{ awaited: boolean }>(sql`delete from mail_job job where id = ${id}
          returning exists (
            select from mail_job later where later.about = job.about and later.position > job.position
          ) as awaited`);
    return removed?.awaited ?? false;
  }

  /** Postpones a mail without counting an attempt. */
  async postpone({ id, attempts }: Job, seconds: number): Promise<void> {
    await this.#db.row(sql`update mail_job set attempts = attempts - 1, due_at = now() + make_interval(secs => ${seconds})
          where id = ${id} and attempts = ${attempts}`);
  }

  /** Schedules a retry of a failed mail, or gives it up if there is no delay; unless another process has claimed it since. */
  async fail({ id, attempts }: Job, reason: string, delay: number | null): Promise<void> {
    await this.#db.row(sql`update mail_job set error = ${reason}, due_at = now() + make_interval(secs => ${delay})
          where id = ${id} and attempts = ${attempts}`);
  }
}
