import { randomUUIDv7 } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { dueNow, type LaneName, nobody } from '../../engine/jobs/job.table.ts';
import { afterCommit } from '../../engine/transaction.ts';

/** The context for composing a mail, after the request that caused it. */
export interface ComposeContext extends Pick<Context, 'db'> {
  services: Pick<Context['services'], 'limits' | 'linkTokens'>;
  /** Where clients reach the service, without a trailing slash. */
  publicUrl: string;
  /** Whether this is the first attempt: limits and the audit trail count a mail once. */
  first: boolean;
}

export interface Recipient {
  address: string;
  /** Null if the address is not verified: a stranger may have chosen the name. */
  name: string | null;
}

export interface Postponed {
  kind: 'postponed';
  seconds: number;
}

/**
 * A kind of mail. It is composed when it is sent, so that the queue contains no secrets and the request does not have to look up the
 * account. Each noun defines its own kinds.
 */
export interface Mail<Data, Letter = unknown> {
  kind: string;
  /** Returns the content, which is never stored or logged; null if there is nothing to send. */
  compose: (ctx: ComposeContext, data: Data) => Promise<Letter | Postponed | null>;
}

/**
 * Queues a mail in the transaction of `ctx`, if there is one, to be sent after the commit.
 * @param data never a password, token or link
 * @param organization the organization whose budget it counts for, as an expression; mails about accounts have their own limits
 */
export async function queueMail<Data>(
  ctx: Pick<Context, 'db'> & Partial<Pick<Context, 'usage' | 'services'>>,
  { kind }: Mail<Data>,
  data: Data,
  organization?: Sql,
): Promise<void> {
  const lane: LaneName = organization ? 'guest_mails' : 'account_mails';
  await ctx.db.run(sql`insert into job (id, lane, kind, data, organization_id, party, due_at, created_at)
    select ${randomUUIDv7()}::uuid, ${lane}, ${kind}, ${JSON.stringify({ ...data, ...ctx.usage?.cause })}::jsonb, organization.id,
      coalesce(organization.id, ${nobody}::uuid), ${dueNow}, now()
    from (select ${organization ?? sql`null`}::uuid as id) organization`);
  afterCommit(ctx, () => ctx.services?.jobs.nudge(lane));
}
