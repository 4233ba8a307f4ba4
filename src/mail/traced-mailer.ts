import { tracing } from '../kernel/tracing.ts';
import type { Caused } from '../kernel/usage.ts';
import type { Letter } from './letter.ts';
import type { Mailer } from './mailer.ts';

/** Each attempt to send a mail is a span, in the trace of the request that caused the mail if that was traced (note 0064). */
export function tracedMailer(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send: async (letter: Letter & Caused, id, signal) => {
      const kind = { 'events_gateway.mail.kind': letter.kind };
      const span = tracing.tracer?.begin('send mail', 'client', letter.traceparent, kind);
      try {
        await mailer.send(letter, id, signal);
        span?.end();
      } catch (error) {
        span?.end(error);
        throw error;
      }
    },
  };
}
