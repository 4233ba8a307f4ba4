import { prepared } from '#postgres-access';
import { command, forOwnAccount, noFields } from '../../engine/command.ts';
import { DomainError } from '../../kernel/errors.ts';
import { hashToken, makeToken } from '../../kernel/secret-token.ts';
import { recordAudit } from '../audit/audit.ts';
import { isLiving } from '../session/session-life.ts';
import { tables } from '../tables/tables.ts';
import { lockUser } from '../user/lock-user.ts';
import { CalendarFeed } from './calendar-feed.entity.ts';

const livingSession = prepared((at: { id: string | null }) =>
  tables.selectFrom('session').select('id').where('id', '=', at.id).where(isLiving),
);

/** Returns the secret of the address. */
export const renewCalendar = command({
  name: 'renewCalendar',
  description: "Creates a secret address for a calendar of the viewer's subscriptions; replaces the previous address.",
  ...forOwnAccount,
  input: noFields,
  errors: [],
  run: async (tx) => {
    const { userId, sessionId } = tx.viewer;
    const user = await lockUser(tx, userId);
    // a new password may have ended the session and the calendar while this waited for the lock
    const session = await tx.db.row(livingSession({ id: sessionId }));
    if (!user || !session) throw new DomainError('INVALID_TOKEN');
    const secret = makeToken();
    await tx.em.nativeDelete(CalendarFeed, { user_id: userId });
    tx.em.persist(tx.em.create(CalendarFeed, { user_id: userId, hash: hashToken(secret) }));
    await recordAudit(tx, { action: 'calendar.renewed', actorId: userId, subjectId: userId });
    return secret;
  },
});

export const endCalendar = command({
  name: 'endCalendar',
  description: "Revokes the secret address of the viewer's calendar, if there is one.",
  ...forOwnAccount,
  input: noFields,
  errors: [],
  run: async (tx) => {
    const { userId } = tx.viewer;
    const ended = await tx.em.nativeDelete(CalendarFeed, { user_id: userId });
    if (ended > 0) await recordAudit(tx, { action: 'calendar.ended', actorId: userId, subjectId: userId });
  },
});
