import sql from 'sql-template-tag';
import type { Database, UnitOfWork } from '../../engine/database.ts';
import type { Log } from '../../kernel/request.ts';
import type { EventTold } from '../event/event-notice.ts';
import type { FanOutNotice } from '../event/fan-out-notice.ts';
import { OrganizationTurns } from '../mail/organization-turns.ts';
import { mailJobsSql } from './queue-mails.ts';
import { liveStatuses } from './subscription.state.ts';
import { noticeMail } from './subscription-mail.ts';

interface FanOut {
  id: string;
  organization_id: string;
  event_id: string;
  notice: FanOutNotice;
  told: EventTold;
  after_created_at: string | null;
  after_id: string | null;
  position: string;
  created_at: string;
  attempts: number;
}

/** Subscriptions whose mails one transaction queues; halved after each failure, until a piece succeeds. */
const pieceSize = 500;
/** About six hours of retries, as for a mail. */
const maxAttempts = 32;
const longestDelay = 15 * 60;
/** Sorts before every id. */
const nil = '00000000-0000-0000-0000-000000000000';
/** The clocks of processes may differ by this much. */
const clockDifference = sql`interval '2 seconds'`;

/**
 * Queues the mails of `notice_fan_out`, alongside other processes: one piece at a time, in a transaction of its own, so
 * that nothing is queued twice and no event keeps another waiting. The notices of one event are queued in order.
 */
export class FanOutWalker {
  readonly #db: Database;
  readonly #log: Log;
  readonly #bounded: boolean;
  readonly #turns = new OrganizationTurns(sql`from notice_fan_out where due_at is not null`);

  /** @param bounded whether mails beyond a recipient's budget become a digest */
  constructor({ db, log, bounded }: { db: Database; log: Log; bounded: boolean }) {
    this.#db = db;
    this.#log = log;
    this.#bounded = bounded;
  }

  /** Queues the mails of one piece; returns whether there was one. */
  async walk(): Promise<boolean> {
    let found: FanOut | undefined;
    try {
      return await this.#db.transaction(async (unit) => {
        found = await this.#next(unit);
        if (found) await this.#queue(unit, found);
        return found !== undefined;
      });
    } catch (error) {
      // no row was at fault, so the database failed
      if (!found) throw error;
      await this.#putOff(found, error);
      return true;
    }
  }

  async #next(db: UnitOfWork): Promise<FanOut | undefined> {
    const [next] = await this.#turns.take(
      db,
      async (turns) =>
        await db.rows<FanOut>(sql`select fan_out.* from (${turns}) turn cross join lateral (
          select * from notice_fan_out f where f.organization_id = turn.organization_id and f.due_at <= now() and not exists (
            select from notice_fan_out earlier where earlier.event_id = f.event_id and earlier.position < f.position
          ) order by f.due_at, f.position limit 1 for update skip locked
        ) fan_out`),
      { count: 1 },
    );
    return next;
  }

  async #queue(db: UnitOfWork, fanOut: FanOut): Promise<void> {
    const { id, event_id, notice, told, position } = fanOut;
    const size = Math.max(1, pieceSize >> fanOut.attempts);
    const rest = sql`from subscription s where s.event_id = ${event_id}::uuid
      and (s.created_at, s.id) > (${fanOut.after_created_at ?? '-infinity'}::timestamptz, ${fanOut.after_id ?? nil}::uuid)
      and s.created_at <= ${fanOut.created_at}::timestamptz + ${clockDifference}`;
    const piece = await db.row<{ created_at: string; id: string; subscriptions: number }>(sql`select created_at, id,
        (row_number() over (order by created_at, id))::int as subscriptions
      from (select s.created_at, s.id ${rest} order by s.created_at, s.id limit ${size}) s
      order by created_at desc, id desc limit 1`);
    if (piece) {
      const statuses = notice === 'reminder' ? ['accepted'] : liveStatuses;
      const given = sql`select row_number() over () as n, gen_random_uuid() as id, ${noticeMail.kind}::text as kind,
          jsonb_build_object('subscriptionId', s.id, 'notice', ${notice}::text, 'told', ${JSON.stringify(told)}::jsonb) as data,
          s.id as about, ${fanOut.organization_id}::uuid as organization_id, s.user_id as recipient
        ${rest} and (s.created_at, s.id) <= (${piece.created_at}::timestamptz, ${piece.id}::uuid)
          and s.status = any(${statuses}::text[])`;
      await db.rows(mailJobsSql(given, { bounded: this.#bounded, gathered: notice === 'digest', position }));
    }
    await db.rows(
      piece?.subscriptions === size
        ? sql`update notice_fan_out set after_created_at = ${piece.created_at}::timestamptz, after_id = ${piece.id}::uuid,
            attempts = 0, due_at = date_trunc('milliseconds', clock_timestamp()) where id = ${id}::uuid`
        : sql`delete from notice_fan_out where id = ${id}::uuid`,
    );
  }

  async #putOff({ id, event_id, attempts }: FanOut, error: unknown): Promise<void> {
    const fields = { err: error, event: event_id, attempts: attempts + 1 };
    if (attempts + 1 >= maxAttempts) {
      this.#log.error(fields, 'gave up on the mails about an event');
      await this.#db.rows(sql`delete from notice_fan_out where id = ${id}::uuid`);
      return;
    }
    this.#log.warn(fields, 'mails about an event could not be queued and will be retried');
    await this.#db.rows(sql`update notice_fan_out set attempts = attempts + 1,
        due_at = now() + make_interval(secs => ${Math.min(2 ** attempts, longestDelay)}) where id = ${id}::uuid`);
  }
}
