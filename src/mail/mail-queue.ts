import sql from 'sql-template-tag';
import type { Database } from '../domain/database.ts';

/** A mail to send, claimed by this process. */
export interface Job {
  id: string;
  /** The subscription that it is about. */
  about: string | null;
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
          returning id, about, kind, data, attempts`);
  }

  /**
   * Claims up to `count` due mails about subscriptions, likewise. Those about one leave in the order of its changes: while
   * one has not been sent or given up, the later ones are held back, and it releases the next. However many there are, each
   * is looked at once: what is held back is due no longer. Whether `more` may be due is said, too.
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
          update mail_job job set held = first_due_at is not null, attempts = attempts + (first_due_at is null)::int,
            due_at = greatest(first_due_at, now() + make_interval(secs => ${this.#lease}))
          from taken where job.id = taken.id
          returning job.id, about, kind, data, attempts, held`);
    const jobs = taken.filter(({ held }) => !held);
    // an earlier one may have left since this statement saw it, and before it could see the later one held back
    const released = await this.#release(taken.filter(({ held }) => held).map(({ id }) => id));
    return { jobs, more: jobs.length === count || taken.length === examinedAtOnce || released };
  }

  /** Makes mails due that are held back for nothing; returns whether there were any. */
  async #release(ids: string[]): Promise<boolean> {
    if (ids.length === 0) return false;
    const released =
      await this.#db.rows(sql`update mail_job job set held = false, due_at = date_trunc('milliseconds', now())
          where id = any(${ids}::uuid[]) and held and not exists (
            select from mail_job earlier
            where earlier.about = job.about and earlier.position < job.position and earlier.due_at is not null
          ) returning id`);
    return released.length > 0;
  }

  /** Renews a claim; returns whether it still existed. */
  async renew({ id, attempts }: Job): Promise<boolean> {
    const renewed = await this.#db.row(sql`update mail_job set due_at = now() + make_interval(secs => ${this.#lease})
          where id = ${id} and attempts = ${attempts} returning id`);
    return renewed !== undefined;
  }

  /** Deletes a mail that was sent, or has no recipient; returns whether another was held back for it, and is due now. */
  async remove({ id, about }: Job): Promise<boolean> {
    await this.#db.row(sql`delete from mail_job where id = ${id}`);
    return await this.#releaseNext(about);
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
  async giveUp({ id, about, attempts }: Job, reason: string): Promise<boolean> {
    await this.#db.row(
      sql`update mail_job set error = ${reason}, due_at = null where id = ${id} and attempts = ${attempts}`,
    );
    return await this.#releaseNext(about);
  }

  /** A statement of its own: it sees what was held back until the one before it had left. */
  async #releaseNext(about: string | null): Promise<boolean> {
    if (about === null) return false;
    const next = await this.#db.row<{ id: string }>(sql`select id from mail_job
          where about = ${about} and due_at is not null order by position limit 1`);
    return next !== undefined && (await this.#release([next.id]));
  }
}
