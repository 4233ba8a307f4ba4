import { LockMode, raw } from '@mikro-orm/core';
import { prepared } from '#postgres-access';
import { changedNow } from '../../engine/columns.ts';
import type { Transaction } from '../../engine/transaction.ts';
import { accountErasedMail } from '../account/account-mail.ts';
import { auditSql } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { Membership } from '../organization/membership.entity.ts';
import { endSubscriptions } from '../subscription/end-subscriptions.ts';
import { tables } from '../tables/tables.ts';
import type { Person } from '../user/lock-user.ts';
import { User } from '../user/user.entity.ts';
import { eraseTraces } from './erase-traces.ts';

const deletedName = 'Deleted user';

/** A request without its client, whose address is erased, too. */
const nobody = { ip: null, userAgent: null, requestId: null };

const knownTo = prepared((at: { id: string }) =>
  tables.selectFrom('subscription').select('organization_id as id').distinct().where('user_id', '=', at.id),
);

/**
 * Erases a person (reference/leaving.md#what-is-erased): ends access, memberships and live subscriptions, and keeps what
 * organizers need, without name, address and answers. The user and their organizations must be locked.
 */
export async function erasePerson(tx: Transaction, person: Person, organizationIds: readonly string[]): Promise<void> {
  const { id, email } = person;
  const { operator } = tx.client;
  const actorId = operator ? null : id;
  const client = operator ? { ...nobody, operator } : nobody;
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
