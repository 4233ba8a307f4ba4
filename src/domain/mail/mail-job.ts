import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Client, Context } from '../context.ts';
import { rows } from '../database.ts';

/** The mails that are sent, and what each is made from. Never a secret: tokens are made when the mail leaves. */
export interface MailData {
  /** Somebody signed up, or tried to with an address that is taken. */
  signup: { email: string; created: boolean; organizationId: string | null; client: Client };
  verification_requested: { email: string; client: Client };
  reset_requested: { email: string; client: Client };
  password_changed: { userId: string };
  invitation: { invitationId: string };
}

export type MailKind = keyof MailData;

/**
 * Queues a mail in the transaction of `em` where there is one. It is sent after the commit, once; nudge
 * `services.outbox` then, or it waits for the next look into the queue.
 */
export async function queueMail<Kind extends MailKind>(
  ctx: Pick<Context, 'em'>,
  kind: Kind,
  data: MailData[Kind],
): Promise<void> {
  // the column rounds to milliseconds: rounded up, the job would not be due yet for whoever is nudged right away
  await rows(
    ctx.em,
    sql`insert into mail_job (id, kind, data, due_at, created_at)
        values (${randomUUIDv7()}, ${kind}, ${JSON.stringify(data)}::jsonb, date_trunc('milliseconds', now()), now())`,
  );
}
