import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { dueNow, jobs, type LaneName, nobody } from '../../engine/jobs/job.table.ts';
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
export interface Mail<Data, Content = unknown> {
  kind: string;
  /** Returns the content, which is never stored or logged; null if there is nothing to send. */
  compose: (ctx: ComposeContext, data: Data) => Promise<Content | Postponed | null>;
}

const insertMail = prepared(
  (at: { id: string; lane: LaneName; kind: string; data: string; organizationId: string | null; party: string }) =>
    jobs.insertInto('job').values({
      ...{ id: at.id, lane: at.lane, kind: at.kind, data: sql`${at.data}::jsonb` },
      ...{ organization_id: at.organizationId, party: at.party, due_at: dueNow, created_at: sql`now()` },
    }),
);

/**
 * Queues a mail in the transaction of `ctx`, if there is one, to be sent after the commit.
 * @param data never a password, token or link
 * @param organizationId whose budget it counts for; mails about accounts have their own limits
 */
export async function queueMail<Data>(
  ctx: Pick<Context, 'db'> & Partial<Pick<Context, 'usage' | 'services'>>,
  { kind }: Mail<Data>,
  data: Data,
  organizationId: string | null = null,
): Promise<void> {
  const lane: LaneName = organizationId ? 'guest_mails' : 'account_mails';
  const caused = JSON.stringify({ ...data, ...ctx.usage?.cause });
  const job = { id: randomUUIDv7(), lane, kind, data: caused, organizationId, party: organizationId ?? nobody };
  await ctx.db.run(insertMail(job));
  afterCommit(ctx, () => ctx.services?.jobs.nudge(lane));
}
