import sql from 'sql-template-tag';
import type { Context } from '../../engine/context.ts';
import { smallTransaction, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mailboxOf } from '../../kernel/input/email-address.ts';
import { everyMembership, provenMemberships } from '../access/memberships.ts';
import { resetMail } from '../account/account-mail.ts';
import { issueToken } from '../account/one-time-token.ts';
import { PendingSignUp } from '../account/pending-sign-up.entity.ts';
import { proveAccount } from '../account/prove-account.ts';
import { recordAudit } from '../audit/audit.ts';
import { eraseMember } from '../leaving/erase-member.ts';
import { queueMail } from '../mail/mail.ts';
import { endSessions } from '../session/own-sessions.ts';
import { livingSession } from '../session/session-life.ts';
import { lockUser } from '../user/lock-user.ts';
import type { User } from '../user/user.entity.ts';
import { ifGiven, type OperatorPage, operatorPageSql } from './page.ts';

type Row = Record<string, unknown>;
type Person = User & { email: string; mailbox: string };

const columns = sql`t.id, t.email, t.name, t.verified_at, t.password_hash is not null as has_password, t.created_at`;

/** People, but neither API keys nor those who were erased; `search` is a part of the address or of the name. */
export async function listUsers(
  { db }: Context,
  { search, organizationId }: { search: string | null; organizationId: string | null },
  page: OperatorPage,
): Promise<Row[]> {
  const named = ifGiven(
    search?.toLowerCase() ?? null,
    (text) => sql`(strpos(lower(t.email), ${text}) > 0 or strpos(lower(t.name), ${text}) > 0)`,
  );
  const belonging = ifGiven(
    organizationId,
    (id) => sql`t.id in (select user_id from (${provenMemberships}) m where m.organization_id = ${id}::uuid)`,
  );
  return await db.rows(
    sql`select ${columns} from "user" t ${operatorPageSql(sql`t.email is not null and ${named} and ${belonging}`, page)}`,
  );
}

/** A person with their memberships. @throws DomainError NOT_FOUND */
export async function showUser({ db }: Context, given: string): Promise<Row> {
  const found = await db.row<Row>(sql`select ${columns},
      (select count(*)::int from session t where t.user_id = u.id and ${livingSession}) as sessions,
      coalesce((select jsonb_agg(jsonb_build_object('organization_id', o.id, 'name', o.name, 'role', m.role) order by o.name)
        from ${everyMembership} m join organization o on o.id = m.organization_id where m.user_id = u.id), '[]') as memberships
    from "user" u cross join lateral (select u.*) t where u.email is not null and ${whoIs(given)}`);
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/**
 * Verifies a person's address as the link in the mail would, and grants what the sign-up asked for. CONFLICT if somebody else
 * signed up with the address, too: then nobody knows whose password it is, and a password link is the way.
 */
export async function verifyUser(ctx: Context, given: string): Promise<Row> {
  const id = await withNamedPerson(ctx, given, async (tx, user) => {
    if (user.verified_at !== null) return user.id;
    const wish = await tx.em.findOne(PendingSignUp, { user_id: user.id });
    if (wish?.disputed) {
      throw new DomainError('CONFLICT', {
        detail: 'Somebody else has signed up with this address, too. Give the person a password link instead.',
      });
    }
    await proveAccount(
      tx,
      {
        user_id: user.id,
        name: wish?.name ?? null,
        organization_id: wish?.organization_id ?? null,
        organization_name: wish?.organization_name ?? null,
      },
      'operator',
    );
    tx.afterCommit(() => tx.services.access.forgetUser(user.id));
    return user.id;
  });
  return await showUser(ctx, id);
}

/** Makes a token with which the person sets a new password; it replaces an earlier one. */
export async function makePasswordToken(ctx: Context, given: string): Promise<string> {
  return await withNamedPerson(ctx, given, async (tx, { id: userId }) => {
    await recordAudit(tx, { action: 'user.password_reset_requested', subjectId: userId });
    return await issueToken(tx, { userId, purpose: 'reset_password' });
  });
}

/** Has the service mail such a link, within the limits of mails to the mailbox. Returns the address. */
export async function mailPasswordLink(ctx: Context, given: string): Promise<string> {
  return await withNamedPerson(ctx, given, async (tx, { email }) => {
    await queueMail(tx, resetMail, { email, client: ctx.client });
    tx.afterCommit(() => tx.services.jobs.nudge('account_mails'));
    return email;
  });
}

/** Ends all sessions of a person; returns their number. */
export async function endUserSessions(ctx: Context, given: string): Promise<number> {
  return await withNamedPerson(
    ctx,
    given,
    async (tx, { id: userId }) => (await endSessions(tx, { userId, reason: 'ended' })).length,
  );
}

/** Erases a person (interface/leaving.md#what-is-erased). CONFLICT if an organization would be left without an owner. */
export async function eraseUser(ctx: Context, given: string): Promise<void> {
  await withNamedPerson(ctx, given, (tx, { id, email, mailbox }) => eraseMember(tx, { id, email, mailbox }));
}

/** Runs a change of a person, who is locked. @throws DomainError NOT_FOUND */
export async function withNamedPerson<Result>(
  ctx: Context,
  given: string,
  change: (tx: Transaction, user: Person) => Promise<Result>,
): Promise<Result> {
  return await smallTransaction(ctx, async (tx) => {
    const found = await tx.db.row<{ id: string }>(sql`select u.id from "user" u where ${whoIs(given)}`);
    const user = found && (await lockUser(tx, found.id));
    if (!user || !isPerson(user)) throw new DomainError('NOT_FOUND');
    return await change(tx, user);
  });
}

function isPerson(user: User): user is Person {
  return user.email !== null && user.mailbox !== null;
}

/** The operator names a person by id or by address. */
function whoIs(given: string) {
  return given.includes('@') ? sql`u.mailbox = ${mailboxOf(given)}` : sql`u.id::text = ${given.toLowerCase()}`;
}
