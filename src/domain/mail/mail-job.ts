import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import type { Transaction } from '../../engine/transaction.ts';
import type { Client } from '../../kernel/request.ts';
import type { Wish } from '../account/one-time-token.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { placeMail, placeMails } from './place-mails.ts';
import type { Told } from './told.ts';

/** The kinds of mail about accounts and requests, and the input of each. Never a secret: tokens are created when the mail is sent. */
interface LinkMailData {
  /** Somebody signed up, possibly with a taken address; `repeats` if the account is that of the sign-up. */
  signup: { userId: string; repeats: boolean; wish: Wish };
  verification_requested: { email: string; client: Client };
  reset_requested: { email: string; client: Client };
  password_changed: { userId: string };
  invitation: { invitationId: string };
  /** Somebody without an account wants to subscribe. */
  guest_subscription_requested: { requestId: string };
}

/** The kinds of mail about one subscription, likewise, with what its holder knew before. */
interface EventMailData {
  /** The status of a subscription changed, by its holder, by somebody else or because the waiting list moved up. */
  subscription_changed: {
    subscriptionId: string;
    status: SubscriptionStatus;
    by: 'holder' | 'manager' | 'list';
    told: Pick<Told, 'status'>;
  };
  /** A notice to a subscriber of an event. */
  event_notice: { subscriptionId: string; notice: EventNotice; told: Told };
}

/** The kinds of mail, and the input of each. */
export interface MailData extends LinkMailData, EventMailData {
  /** How things are with the subscriptions of `told`, which has keys `subscription:topic`; `more` if others changed, too. */
  subscription_digest: { told: Record<string, unknown>; more?: boolean };
}

/** The subject of a notice: the event's status, new dates or place, or a reminder. */
export type EventNotice = 'cancelled' | 'reinstated' | 'changed' | 'reminder';

export type MailKind = keyof MailData;

/**
 * Queues a mail in the transaction of `ctx`, if there is one. It is sent once, after the commit; nudge `services.outbox`
 * then, or it waits for the next poll.
 */
export async function queueMail<Kind extends keyof LinkMailData>(
  ctx: Pick<Context, 'db'>,
  kind: Kind,
  data: LinkMailData[Kind],
): Promise<void> {
  const organization =
    'requestId' in data
      ? sql`(select e.organization_id from guest_request r join event e on e.id = r.event_id where r.id = ${data.requestId}::uuid)`
      : null;
  // the column rounds to milliseconds: rounded up, the job would not be due yet when the outbox is nudged right away
  await ctx.db.run(sql`insert into mail_job (id, kind, data, organization_id, due_at, created_at)
        values (${randomUUIDv7()}, ${kind}, ${JSON.stringify(data)}::jsonb, ${organization}, date_trunc('milliseconds', now()), now())`);
}

/**
 * Queues mails of one kind about subscriptions, likewise.
 *
 * @param options a statement that writes what the mails are about, which then takes no round trip of its own
 */
export async function queueMails<Kind extends keyof EventMailData>(
  tx: Transaction,
  kind: Kind,
  data: readonly EventMailData[Kind][],
  { after }: { after?: Sql } = {},
): Promise<void> {
  await tx.db.run(mailJobs(kind, data, { bounded: tx.services.limits.enabled, after }));
  tx.afterCommit(() => tx.services.outbox.nudge('events'));
}

/**
 * The statement that queues mails about subscriptions, for a transaction that has no unit of work. The subscriptions must
 * be written.
 *
 * @param options whether what is too much for a recipient becomes a digest, as `placeMails` describes
 */
export function mailJobs<Kind extends keyof EventMailData>(
  kind: Kind,
  data: readonly EventMailData[Kind][],
  options: { bounded: boolean; after?: Sql | undefined },
): Sql {
  const [first] = data;
  if (first && data.length === 1) {
    const about = first.subscriptionId;
    return placeMail({ id: randomUUIDv7(), kind, about, data: JSON.stringify(first) }, options);
  }
  const given = sql`select n, job.id, ${kind}::text as kind, data, about, e.organization_id, s.user_id as recipient
    from unnest(${data.map(() => randomUUIDv7())}::uuid[], ${data.map(({ subscriptionId }) => subscriptionId)}::uuid[],
      ${data.map((each) => JSON.stringify(each))}::jsonb[]) with ordinality as job (id, about, data, n)
    join subscription s on s.id = about join event e on e.id = s.event_id`;
  return placeMails(given, options);
}
