import sql from 'sql-template-tag';
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

/** A person's account as it is erased. */
export interface Person {
  id: string;
  email: string;
  mailbox: string;
}

/**
 * Erases what identifies a person beside their user and subscriptions: sessions, links, requests, invitations, queued mails
 * and stored responses are deleted; entries of the audit trail stay without what tells of the person.
 */
export async function eraseTraces({ db, em }: Transaction, person: Person): Promise<void> {
  const { id, email, mailbox } = person;
  const user = sql`${id}::uuid`;
  // an address in an entry or a job is as somebody typed it
  const addresses = [...new Set([email, mailbox].map((each) => each.toLowerCase()))];
  await db.run(sql`delete from guest_link using subscription s
      where s.id = guest_link.subscription_id and s.user_id = ${user}`);
  const own = { user_id: id };
  await em.nativeDelete(Session, own);
  await em.nativeDelete(OneTimeToken, own);
  await em.nativeDelete(PendingSignUp, own);
  await em.nativeDelete(CalendarFeed, own);
  await forgetMaker(db, person);
  await em.nativeDelete(GuestRequest, { mailbox });
  await em.nativeDelete(Invitation, { $or: [{ mailbox }, { inviter_id: id }] });
  await em.nativeDelete(Job, { lane: 'event_mails', key: id });
  await db.run(sql`delete from job where lane = 'account_mails'
      and (data->>'userId' = ${id} or lower(data->>'email') = any(${addresses}::text[]))`);
  await db.run(sql`delete from idempotency_key
      where concerns && (select array_append(array_agg(id), ${user}) from subscription where user_id = ${user})`);
  const from = { $or: [{ ip: { $ne: null } }, { user_agent: { $ne: null } }] };
  // nobody was signed in, for example in attempts to sign in
  for (const whose of [{ actor_id: id }, { actor_id: null, subject_id: id }]) {
    await em.nativeUpdate(AuditEntry, { ...whose, ...from }, { ip: null, user_agent: null });
  }
  await db.run(sql`update audit_entry set detail = detail - 'email'
      where detail ? 'email' and lower(detail->>'email') = any(${addresses}::text[])`);
}
