import type { Transaction } from '../../engine/transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { CalendarFeed } from '../calendar/calendar-feed.entity.ts';
import { endSessions } from '../session/own-sessions.ts';

/**
 * Ends what the former password gave access to, in the transaction that replaces it: the sessions, and the secret calendar
 * address, which anyone who knew the password could read or create. Call `forgetSessions` with the returned ids.
 * @param except the session that changes the password
 */
export async function endAccess(tx: Transaction, { userId, except }: { userId: string; except?: string }) {
  if ((await tx.em.nativeDelete(CalendarFeed, { user_id: userId })) > 0) {
    const detail = { reason: 'password_changed' };
    await recordAudit(tx, { action: 'calendar.ended', actorId: userId, subjectId: userId, detail });
  }
  return await endSessions(tx, { userId, ...(except === undefined ? {} : { except }), reason: 'password_changed' });
}
