import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { mailboxOf } from '#input-values';
import { built } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { smallTransaction, type Transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { everyMember, proven } from '../access/memberships.ts';
import { resetMail } from '../account/account-mail.ts';
import { issueToken, noWish } from '../account/one-time-token.ts';
import { PendingSignUp } from '../account/pending-sign-up.entity.ts';
import { proveAccount } from '../account/prove-account.ts';
import { recordAudit } from '../audit/audit.ts';
import { eraseMember } from '../leaving/erase-member.ts';
import { queueMail } from '../mail/mail.ts';
import { endSessions } from '../session/own-sessions.ts';
import { isLiving } from '../session/session-life.ts';
import { tables } from '../tables/tables.ts';
import { isPerson, lockUser, type Person } from '../user/lock-user.ts';
import { ifGiven, type OperatorPage, operatorPage } from './page.ts';

const people = tables
  .selectFrom('user as p')
  .select(['p.id', 'p.email', 'p.name', 'p.verified_at'])
  .select((eb) => [eb('p.password_hash', 'is not', null).as('has_password'), 'p.created_at'])
  .where('p.email', 'is not', null);

/** Omits API keys and erased people; `search` is a part of the address or of the name. */
export async function listUsers(
  { db }: Context,
  { search, organizationId }: { search: string | null; organizationId: string | null },
  page: OperatorPage,
) {
  const named = ifGiven(
    search?.toLowerCase() ?? null,
    (text) => sql`(strpos(lower(p.email), ${text}) > 0 or strpos(lower(p.name), ${text}) > 0)`,
  );
  const found = people
    .where(named)
    .where((eb) =>
      ifGiven(organizationId, (id) => eb('p.id', 'in', proven.select('m.user_id').where('m.organization_id', '=', id))),
    );
  return await db.rows(operatorPage(found, 'p.id', page));
}

export async function showUser({ db }: Context, given: string) {
  const shown = people
    .where(isNamed(given))
    .select((eb) => [
      eb
        .selectFrom('session')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('user_id', '=', 'p.id')
        .where(isLiving)
        .as('sessions'),
      jsonArrayFrom(
        everyMember
          .innerJoin('organization as o', 'o.id', 'm.organization_id')
          .select(['o.name', 'm.role', 'm.organization_id'])
          .where('m.user_id', '=', eb.ref('p.id'))
          .orderBy('o.name'),
      ).as('memberships'),
    ]);
  const found = await db.row(built(shown));
  if (!found) throw new DomainError('NOT_FOUND');
  return found;
}

/**
 * Verifies an address as the mailed link would, and grants what the sign-up asked for. CONFLICT if somebody else signed up
 * with the address, too: then nobody knows whose password it is, and a password link is the way.
 */
export async function verifyUser(ctx: Context, given: string) {
  const id = await withNamedPerson(ctx, given, async (tx, user) => {
    if (user.verified_at !== null) return user.id;
    const wish = await tx.em.findOne(PendingSignUp, { user_id: user.id });
    if (wish?.disputed) {
      throw new DomainError('CONFLICT', {
        detail: 'Somebody else has signed up with this address, too. Give the person a password link instead.',
      });
    }
    await proveAccount(tx, { ...noWish, ...wish, user_id: user.id }, 'operator');
    tx.afterCommit(() => tx.services.access.forgetUser(user.id));
    return user.id;
  });
  return await showUser(ctx, id);
}

/** For setting a new password; replaces an earlier token. */
export async function makePasswordToken(ctx: Context, given: string): Promise<string> {
  return await withNamedPerson(ctx, given, async (tx, { id: userId }) => {
    await recordAudit(tx, { action: 'user.password_reset_requested', subjectId: userId });
    return await issueToken(tx, { userId, purpose: 'reset_password' });
  });
}

/** Within the limits of mails to the mailbox. Returns the address. */
export async function mailPasswordLink(ctx: Context, given: string): Promise<string> {
  return await withNamedPerson(ctx, given, async (tx, { email }) => {
    await queueMail(tx, resetMail, { email, client: ctx.client });
    return email;
  });
}

export async function endUserSessions(ctx: Context, given: string): Promise<number> {
  return await withNamedPerson(
    ctx,
    given,
    async (tx, { id: userId }) => (await endSessions(tx, { userId, reason: 'ended' })).length,
  );
}

/** CONFLICT if an organization would be left without an owner. */
export async function eraseUser(ctx: Context, given: string): Promise<void> {
  await withNamedPerson(ctx, given, eraseMember);
}

/** With the person locked. @throws DomainError NOT_FOUND */
export async function withNamedPerson<Result>(
  ctx: Context,
  given: string,
  change: (tx: Transaction, user: Person) => Promise<Result>,
): Promise<Result> {
  return await smallTransaction(ctx, async (tx) => {
    const found = await tx.db.row(built(tables.selectFrom('user as p').select('p.id').where(isNamed(given))));
    const user = found && (await lockUser(tx, found.id));
    if (!isPerson(user)) throw new DomainError('NOT_FOUND');
    return await change(tx, user);
  });
}

function isNamed(given: string) {
  return given.includes('@')
    ? sql<boolean>`p.mailbox = ${mailboxOf(given)}`
    : sql<boolean>`p.id::text = ${given.toLowerCase()}`;
}
