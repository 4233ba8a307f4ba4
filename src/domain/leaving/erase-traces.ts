import { sql } from 'kysely';
import { built } from '#postgres-access';
import { Job } from '../../engine/jobs/job.table.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { OneTimeToken } from '../account/one-time-token.table.ts';
import { PendingSignUp } from '../account/pending-sign-up.entity.ts';
import { AuditEntry } from '../audit/audit-entry.table.ts';
import { CalendarFeed } from '../calendar/calendar-feed.entity.ts';
import { GuestRequest } from '../guest/guest-request.table.ts';
import { Invitation } from '../invitation/invitation.entity.ts';
import { forgetMaker } from '../organization/maker.ts';
import { Session } from '../session/session.table.ts';
import { tables } from '../tables/tables.ts';
import type { Person } from '../user/lock-user.ts';

/**
 * Deletes a person's sessions, links, requests, invitations, queued mails and stored responses; entries of the audit trail
 * lose what identifies the person.
 */
export async function eraseTraces({ db, em }: Transaction, person: Person): Promise<void> {
  const { id, email, mailbox } = person;
  // an entry or a job has the address as somebody typed it
  const addresses = [...new Set([email, mailbox].map((each) => each.toLowerCase()))];
  const subscriptions = tables.selectFrom('subscription').where('user_id', '=', id);
  await db.run(built(tables.deleteFrom('guest_link').where('subscription_id', 'in', subscriptions.select('id'))));
  const own = { user_id: id };
  await em.nativeDelete(Session, own);
  await em.nativeDelete(OneTimeToken, own);
  await em.nativeDelete(PendingSignUp, own);
  await em.nativeDelete(CalendarFeed, own);
  await forgetMaker(db, person);
  await em.nativeDelete(GuestRequest, { mailbox });
  await em.nativeDelete(Invitation, { $or: [{ mailbox }, { inviter_id: id }] });
  await em.nativeDelete(Job, { lane: 'event_mails', key: id });
  const toThem = sql<boolean>`(data->>'userId' = ${id} or lower(data->>'email') = any(${addresses}::text[]))`;
  await db.run(built(tables.deleteFrom('job').where('lane', '=', 'account_mails').where(toThem)));
  const concerning = subscriptions.select(sql`array_append(array_agg(id), ${id}::uuid)`.as('ids'));
  await db.run(built(tables.deleteFrom('idempotency_key').where(sql<boolean>`concerns && ${concerning}`)));
  const from = { $or: [{ ip: { $ne: null } }, { user_agent: { $ne: null } }] };
  // entries without an actor are attempts to sign in, for example
  for (const whose of [{ actor_id: id }, { actor_id: null, subject_id: id }]) {
    await em.nativeUpdate(AuditEntry, { ...whose, ...from }, { ip: null, user_agent: null });
  }
  const aboutThem = sql<boolean>`detail ? 'email' and lower(detail->>'email') = any(${addresses}::text[])`;
  await db.run(built(tables.updateTable('audit_entry').set({ detail: sql`detail - 'email'` }).where(aboutThem)));
}
