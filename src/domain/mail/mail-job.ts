import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Wish } from '../account/one-time-token.ts';
import type { Context } from '../context.ts';
import type { Client } from '../request.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import type { Transaction } from '../transaction.ts';

/** The kinds of mail, and the input of each. Never a secret: tokens are created when the mail is sent. */
export interface MailData {
  /** Somebody signed up, possibly with a taken address; `repeats` if the account is that of the sign-up. */
  signup: { userId: string; repeats: boolean; wish: Wish };
  verification_requested: { email: string; client: Client };
  reset_requested: { email: string; client: Client };
  password_changed: { userId: string };
  invitation: { invitationId: string };
  /** The status of a subscription changed, by its holder, by somebody else or because the waiting list moved up. */
  subscription_changed: { subscriptionId: string; status: SubscriptionStatus; by: 'holder' | 'manager' | 'list' };
  /** Somebody without an account wants to subscribe. */
  guest_subscription_requested: { requestId: string };
  /** A notice to a subscriber of an event. */
  event_notice: { subscriptionId: string; notice: EventNotice };
}

/** The subject of a notice: the event's status, new dates or place, or a reminder. */
export type EventNotice = 'cancelled' | 'reinstated' | 'changed' | 'reminder';

export type MailKind = keyof MailData;

/**
 * Queues a mail in the transaction of `ctx`, if there is one. It is sent once, after the commit; nudge `services.outbox`
 * then, or it waits for the next poll.
 */
export async function queueMail<Kind extends MailKind>(
  ctx: Pick<Context, 'db'>,
  kind: Kind,
  data: MailData[Kind],
): Promise<void> {
  // the column rounds to milliseconds: rounded up, the job would not be due yet when the outbox is nudged right away
  await ctx.db.run(sql`insert into mail_job (id, kind, data, due_at, created_at)
        values (${randomUUIDv7()}, ${kind}, ${JSON.stringify(data)}::jsonb, date_trunc('milliseconds', now()), now())`);
}

/**
 * Queues many mails of one kind, likewise.
 *
 * @param options a statement that writes what the mails are about, which then takes no round trip of its own
 */
export async function queueMails<Kind extends MailKind>(
  tx: Transaction,
  kind: Kind,
  data: readonly MailData[Kind][],
  { after }: { after?: Sql } = {},
): Promise<void> {
  const jobs = mailJobs(kind, data);
  await tx.db.run(after ? sql`with written as (${after}) ${jobs}` : jobs);
  tx.afterCommit(() => tx.services.outbox.nudge());
}

/** The statement that queues mails, for a transaction that has no unit of work. */
export function mailJobs<Kind extends MailKind>(kind: Kind, data: readonly MailData[Kind][]): Sql {
  const ids = data.map(() => randomUUIDv7());
  return sql`insert into mail_job (id, kind, data, due_at, created_at)
    select id, ${kind}, data, date_trunc('milliseconds', now()), now()
    from unnest(${ids}::uuid[], ${data.map((each) => JSON.stringify(each))}::jsonb[]) as job (id, data)`;
}
