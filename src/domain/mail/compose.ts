import { accountMail } from '../account/account-mail.ts';
import type { Context } from '../context.ts';
import { invitationMail } from '../invitation/invitation-mail.ts';
import type { Letter } from './letter.ts';
import type { MailData, MailKind } from './mail-job.ts';

/** What composing needs: it happens after the request that caused the mail. */
export interface ComposeContext extends Pick<Context, 'em'> {
  services: Pick<Context['services'], 'limits'>;
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string;
  /** Whether this is the job's first attempt: the limits and the trail count a mail once, however often it is tried. */
  first: boolean;
}

export type Composers = { [Kind in MailKind]: (ctx: ComposeContext, data: MailData[Kind]) => Promise<Letter | null> };

const composers: Composers = { ...accountMail, ...invitationMail };

/**
 * Makes the letter of a queued mail at the moment that it leaves, tokens included: so that the queue holds no secret,
 * and the answer to the request needed no look at the account. Null where there is nothing to send, or no such kind.
 */
export async function composeMail(ctx: ComposeContext, kind: string, data: unknown): Promise<Letter | null> {
  const compose = Object.hasOwn(composers, kind) ? composers[kind as MailKind] : undefined;
  return compose ? await compose(ctx, data as never) : null;
}
