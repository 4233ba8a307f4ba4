import type { Context } from '../../engine/context.ts';
import type { Letter } from './letter.ts';
import type { MailData, MailKind } from './mail-job.ts';

/** What composing needs: it happens after the request that caused the mail. */
export interface ComposeContext extends Pick<Context, 'db'> {
  services: Pick<Context['services'], 'limits' | 'linkTokens'>;
  /** Where clients reach the service, without a trailing slash. */
  publicUrl: string;
  /** Whether this is the first attempt: limits and audit trail count a mail once, however often it is retried. */
  first: boolean;
}

/** The result of composing a queued mail: a letter, nothing, or a later attempt. */
export type Composed = Letter | null | Postponed;

/** A mail that must not be sent yet. */
export interface Postponed {
  kind: 'postponed';
  seconds: number;
}

export type Composers = { [Kind in MailKind]: (ctx: ComposeContext, data: MailData[Kind]) => Promise<Composed> };
