import { LockMode, raw } from '@mikro-orm/core';
import { sql } from 'kysely';
import { built, prepared } from '#postgres-access';
import { changedNow } from '../../engine/columns.ts';
import { Job } from '../../engine/jobs/job.table.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { accountErasedMail } from '../account/account-mail.ts';
import { OneTimeToken } from '../account/one-time-token.table.ts';
import { PendingSignUp } from '../account/pending-sign-up.entity.ts';
import { auditSql } from '../audit/audit.ts';
import { AuditEntry } from '../audit/audit-entry.table.ts';
import { CalendarFeed } from '../calendar/calendar-feed.entity.ts';
import { GuestRequest } from '../guest/guest-request.table.ts';
import { Invitation } from '../invitation/invitation.entity.ts';
import { queueMail } from '../mail/mail.ts';
import { forgetMaker } from '../organization/maker.ts';
import { Membership } from '../organization/membership.entity.ts';
import { Session } from '../session/session.table.ts';
import { endSubscriptions } from '../subscription/end-subscriptions.ts';
import { tables } from '../tables/tables.ts';
import type { Person } from '../user/lock-user.ts';
import { User } from '../user/user.entity.ts';

const deletedName = 'Deleted user';

const knownTo = prepared((at: { id: string }) =>
  tables.selectFrom('subscription').select('organization_id as id').distinct().where('user_id', '=', at.id),
);

/**
 * Erases a person (reference/leaving.md#what-is-erased): ends access, memberships and live subscriptions, and keeps what
 * organizers need, without name, address and answers. The user and their organizations must be locked.
 */
export async function erasePerson(tx: Transaction, person: Person, organizationIds: readonly string[]): Promise<void> {
  const { id, email } = person;
  const actorId = tx.client.operator ? null : id;
  // the address is erased, too
  const client = { ...tx.client, ip: null, userAgent: null };
  const known = await tx.db.rows(knownTo({ id }));
  await tx.em.nativeDelete(Membership, { user_id: id });
  // now only a link in a mail to a guest can subscribe them, and that locks the user first
  await tx.em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  await endSubscriptions(tx, { userId: id, actorId, erase: 'answers and name', notify: false });
  await eraseTraces(tx, person);
  const places = new Set([...organizationIds, ...known.map((each) => each.id)]);
  for (const organizationId of places) {
    await tx.db.run(auditSql(client, { action: 'user.erased', actorId, organizationId }, [id]));
  }
  // verified, so that it is never swept as an abandoned sign-up, together with its subscriptions
  const erased = { email: null, mailbox: null, name: deletedName, avatar_url: null, password_hash: null };
  const times = { verified_at: raw('coalesce(verified_at, now())'), updated_at: raw(changedNow('"user"')) };
  await tx.em.nativeUpdate(User, { id }, { ...erased, ...times });
  await queueMail(tx, accountErasedMail, { address: email });
  tx.afterCommit(() => tx.services.access.forgetUser(id));
}

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
