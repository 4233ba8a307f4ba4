import sql from 'sql-template-tag';
import type { Transaction } from '../../engine/transaction.ts';
import { forgetMaker } from '../organization/maker.ts';

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
export async function eraseTraces({ db }: Transaction, person: Person): Promise<void> {
  const { id, email, mailbox } = person;
  const user = sql`${id}::uuid`;
  // an address in an entry or a job is as somebody typed it
  const addresses = [...new Set([email, mailbox].map((each) => each.toLowerCase()))];
  await db.run(sql`delete from guest_link using subscription s
      where s.id = guest_link.subscription_id and s.user_id = ${user}`);
  for (const table of ['session', 'one_time_token', 'pending_sign_up', 'calendar_feed'] as const) {
    await db.run(deleteOf[table](id));
  }
  await forgetMaker(db, person);
  await db.run(sql`delete from guest_request where mailbox = ${mailbox}`);
  await db.run(sql`delete from invitation where mailbox = ${mailbox} or inviter_id = ${user}`);
  await db.run(sql`delete from job where lane = 'event_mails' and key = ${id}`);
  await db.run(sql`delete from job where lane = 'account_mails'
      and (data->>'userId' = ${id} or lower(data->>'email') = any(${addresses}::text[]))`);
  await db.run(sql`delete from idempotency_key
      where concerns && (select array_append(array_agg(id), ${user}) from subscription where user_id = ${user})`);
  await db.run(sql`update audit_entry set ip = null, user_agent = null
      where actor_id = ${user} and (ip is not null or user_agent is not null)`);
  // nobody was signed in, for example in attempts to sign in
  await db.run(sql`update audit_entry set ip = null, user_agent = null
      where subject_id = ${user} and actor_id is null and (ip is not null or user_agent is not null)`);
  await db.run(sql`update audit_entry set detail = detail - 'email'
      where detail ? 'email' and lower(detail->>'email') = any(${addresses}::text[])`);
}

const deleteOf = {
  session: (id: string) => sql`delete from session where user_id = ${id}::uuid`,
  one_time_token: (id: string) => sql`delete from one_time_token where user_id = ${id}::uuid`,
  pending_sign_up: (id: string) => sql`delete from pending_sign_up where user_id = ${id}::uuid`,
  calendar_feed: (id: string) => sql`delete from calendar_feed where user_id = ${id}::uuid`,
};
