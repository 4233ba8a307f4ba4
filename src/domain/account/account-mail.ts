import { type InferResult, type NotNull, sql } from 'kysely';
import { countedMailbox, mailboxOf } from '#input-values';
import { prepared } from '#postgres-access';
import type { Client } from '../../kernel/request.ts';
import { findMembership } from '../access/memberships.ts';
import { recordAudit } from '../audit/audit.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import type { ComposeContext, Mail, Recipient } from '../mail/mail.ts';
import { openOrganization } from '../organization/open-organization.ts';
import { tables } from '../tables/tables.ts';
import { cancelToken, issueToken, tokenMinutes, type Wish } from './one-time-token.ts';

/** `password`: whether the account has a password that is valid once the address is verified. */
const owners = tables
  .selectFrom('user as u')
  .leftJoin('pending_sign_up as p', 'p.user_id', 'u.id')
  .select((eb) => ['u.id', 'u.email', 'u.name', eb('u.verified_at', 'is not', null).as('verified')])
  .select(
    sql<boolean>`u.password_hash is not null and (u.verified_at is not null or p.disputed is not true)`.as('password'),
  )
  .where('u.email', 'is not', null)
  .$narrowType<{ email: NotNull }>();
type Owner = InferResult<typeof owners>[number];

const ownerById = prepared((at: { userId: string }) => owners.where('u.id', '=', at.userId));
const ownerByMailbox = prepared((at: { mailbox: string }) => owners.where('u.mailbox', '=', at.mailbox));
const lockedOwner = prepared((at: { userId: string }) => owners.where('u.id', '=', at.userId).forNoKeyUpdate('u'));

/** The organization that using a link joins or creates. Its name is user input. */
export interface MailingOrganizer {
  organization: string;
  isNew: boolean;
}

export type AccountLetter = { to: Recipient } & (
  | { kind: 'verify'; link: string; hours: number; place: MailingOrganizer | null }
  | { kind: 'join'; link: string; hours: number; organization: string }
  | { kind: 'account_exists'; link: string; minutes: number }
  | { kind: 'set_password'; link: string; minutes: number; place: MailingOrganizer | null }
  | { kind: 'reset'; link: string; minutes: number }
  | { kind: 'password_changed' }
  | { kind: 'account_erased' }
);

type AccountMail<Data> = Mail<Data, AccountLetter>;

/** Sent after a sign-up, possibly with a taken address; `repeats` if it is the account's own sign-up, sent again. */
export const signupMail: AccountMail<{ userId: string; repeats: boolean; wish: Wish }> = {
  kind: 'signup',
  async compose(ctx, { userId, repeats, wish }) {
    const within = await mayMail(ctx, await ctx.db.row(ownerById({ userId })));
    return await withLockedAccount(ctx, userId, async (inner, account) => {
      const owner = account.verified || repeats ? account : await dispute(inner, account);
      if (!within) return null;
      if (!owner.password) return await passwordLetter(inner, owner, wish);
      if (!owner.verified) return await verifyLetter(inner, owner, wish);
      return (await joinLetter(inner, owner, wish)) ?? (await existsLetter(inner, owner));
    });
  },
};

export const verificationMail: AccountMail<{ email: string; client: Client }> = {
  kind: 'verification_requested',
  async compose(ctx, { email, client }) {
    const known = await ctx.db.row(ownerByMailbox({ mailbox: mailboxOf(email) }));
    if (!known || known.verified || !(await mayMail(ctx, known))) return null;
    return await withLockedAccount(ctx, known.id, async (inner, owner) => {
      if (owner.verified) return null;
      await record(inner, client, owner, 'user.verification_requested');
      // without a password, a link that only verifies the address would not allow signing in
      if (!owner.password) return await passwordLetter(inner, owner, null);
      return await verifyLetter(inner, owner, (await inner.db.row(pendingWish(owner))) ?? null);
    });
  },
};

export const resetMail: AccountMail<{ email: string; client: Client }> = {
  kind: 'reset_requested',
  async compose(ctx, { email, client }) {
    const owner = await ctx.db.row(ownerByMailbox({ mailbox: mailboxOf(email) }));
    if (!owner || !(await mayMail(ctx, owner))) return null;
    await record(ctx, client, owner, 'user.password_reset_requested');
    const token = await issueToken(ctx, { userId: owner.id, purpose: 'reset_password' });
    return { kind: 'reset', ...resetLink(ctx, token), to: recipient(owner) };
  },
};

/** Not limited, since a stranger cannot cause it: changing the password requires an access token. */
export const passwordChangedMail: AccountMail<{ userId: string }> = {
  kind: 'password_changed',
  async compose(ctx, { userId }) {
    const owner = await ctx.db.row(ownerById({ userId }));
    return owner ? { kind: 'password_changed', to: recipient({ ...owner, verified: true }) } : null;
  },
};

/** The queue holds the address, which is stored nowhere else any more. */
export const accountErasedMail: AccountMail<{ address: string }> = {
  kind: 'account_erased',
  compose: async (_ctx, { address }) => ({ kind: 'account_erased', to: { address, name: null } }),
};

/** Whether the mailbox may get a mail now: at most three an hour (reference/accounts.md#mailed-tokens). */
async function mayMail(ctx: ComposeContext, owner: Owner | undefined): Promise<boolean> {
  if (!owner) return false;
  return !ctx.first || (await ctx.services.limits.tryTake({ rule: 'mailbox', key: countedMailbox(owner.email) }));
}

/** Locks the account, so that its state cannot change; null if it is gone. */
async function withLockedAccount(
  ctx: ComposeContext,
  userId: string,
  compose: (inner: ComposeContext, owner: Owner) => Promise<AccountLetter | null>,
): Promise<AccountLetter | null> {
  return await ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db };
    const owner = await db.row(lockedOwner({ userId }));
    return owner ? await compose(inner, owner) : null;
  });
}

const noteDispute = prepared((at: { id: string }) =>
  tables.updateTable('pending_sign_up').set({ disputed: true }).where('user_id', '=', at.id).returning('user_id'),
);

/**
 * Records that somebody signed up with another password. The first one may be a stranger's, so no link makes it valid
 * any more, and a mailed link must set a new one. An imported account has no sign-up to dispute.
 */
async function dispute(ctx: ComposeContext, owner: Owner): Promise<Owner> {
  if (await ctx.db.row(noteDispute(owner))) await cancelToken(ctx, owner.id, 'verify_email');
  return { ...owner, password: false };
}

const pendingWish = prepared((at: { id: string }) =>
  tables
    .selectFrom('pending_sign_up')
    .select(['name', 'organization_id', 'organization_name'])
    .where('user_id', '=', at.id),
);

/** The organization that a sign-up asked for; null if none, or if it no longer accepts members by sign-up. */
async function findPlace(ctx: ComposeContext, wish: Wish | null): Promise<MailingOrganizer | null> {
  if (!wish) return null;
  if (wish.organization_name !== null) return { organization: wish.organization_name, isNew: true };
  const open = wish.organization_id && (await ctx.db.row(openOrganization({ id: wish.organization_id })));
  return open ? { organization: open.name, isNew: false } : null;
}

function mentioned(wish: Wish | null, place: MailingOrganizer | null): Wish | null {
  return wish && !place ? { ...wish, organization_id: null } : wish;
}

async function verifyLetter(ctx: ComposeContext, owner: Owner, wish: Wish | null): Promise<AccountLetter> {
  const place = await findPlace(ctx, wish);
  const token = await issueToken(ctx, { userId: owner.id, purpose: 'verify_email', wish: mentioned(wish, place) });
  return { kind: 'verify', ...verifyLink(ctx, token), to: recipient(owner), place };
}

async function passwordLetter(ctx: ComposeContext, owner: Owner, wish: Wish | null): Promise<AccountLetter> {
  const place = await findPlace(ctx, wish);
  const token = await issueToken(ctx, { userId: owner.id, purpose: 'reset_password', wish: mentioned(wish, place) });
  // a guest's account has no name yet
  return { kind: 'set_password', ...resetLink(ctx, token), to: { ...recipient(owner), name: null }, place };
}

/** Null unless the sign-up named an organization to join. */
async function joinLetter(ctx: ComposeContext, owner: Owner, wish: Wish): Promise<AccountLetter | null> {
  const place = await findPlace(ctx, wish);
  if (!place || place.isNew || !wish.organization_id) return null;
  if (await findMembership(ctx.db, owner.id, wish.organization_id)) return null;
  const token = await issueToken(ctx, { userId: owner.id, purpose: 'verify_email', wish });
  return { kind: 'join', ...verifyLink(ctx, token), to: recipient(owner), organization: place.organization };
}

async function existsLetter(ctx: ComposeContext, owner: Owner): Promise<AccountLetter> {
  const token = await issueToken(ctx, { userId: owner.id, purpose: 'reset_password' });
  return { kind: 'account_exists', ...resetLink(ctx, token), to: recipient(owner) };
}

async function record(ctx: ComposeContext, client: Client, owner: Owner, action: AuditAction): Promise<void> {
  if (ctx.first) await recordAudit({ db: ctx.db, client }, { action, subjectId: owner.id });
}

/** Omits the name of an unverified account: it may be a stranger's message to the owner of the mailbox. */
function recipient({ email, name, verified }: Owner): Recipient {
  return { address: email, name: verified ? name : null };
}

function verifyLink({ publicUrl }: ComposeContext, token: string) {
  return { link: `${publicUrl}/verify-email?token=${token}`, hours: tokenMinutes.verify_email / 60 };
}

function resetLink({ publicUrl }: ComposeContext, token: string) {
  return { link: `${publicUrl}/reset-password?token=${token}`, minutes: tokenMinutes.reset_password };
}
