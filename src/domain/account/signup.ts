import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { displayName, emailAddress, mailboxOf, parseUuid } from '#input-values';
import { hashPassword } from '#passwords';
import { prepared, type RowOf } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { transaction } from '../../engine/transaction.ts';
import { collectIssues, DomainError, faults, type Issue } from '../../kernel/errors.ts';
import { parseInput } from '../../kernel/input/parse-input.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { openOrganization } from '../organization/open-organization.ts';
import { takePasswordTurn } from '../session/password-turns.ts';
import { signupMail } from './account-mail.ts';
import type { Wish } from './one-time-token.ts';
import { newPassword, refuseOwnAddress } from './password-policy.ts';

/** `organization_name` creates an organization (reference/accounts.md#sign-up). */
export const signUpInput = refuseOwnAddress(
  z.strictObject({
    email: emailAddress,
    password: newPassword,
    name: displayName,
    organization_name: displayName.optional(),
  }),
);

/**
 * The organization that a sign-up wants to join.
 * @param given null if the request names several
 * @throws DomainError ORGANIZATION_REQUIRED unless it is one id; ORGANIZATION_FORBIDDEN, the same if the organization does
 * not exist or accepts nobody by sign-up
 */
export async function findOpenOrganization(ctx: Context, given: string | null): Promise<string> {
  const id = parseUuid(given);
  if (id === null) throw new DomainError('ORGANIZATION_REQUIRED');
  await requireOpen(ctx, id);
  return id;
}

/** Checks the body together with the organization, to report all issues at once. @throws DomainError VALIDATION_ERROR */
export function checkSignUp(body: unknown, joined: string | null): void {
  const issues: Issue[] = [];
  collectIssues(issues, null, () => parseInput(signUpInput, body));
  const sent = typeof body === 'object' && body !== null && !Array.isArray(body);
  const choice = sent
    ? choiceIssue((body as { organization_name?: unknown }).organization_name !== undefined, joined)
    : null;
  if (choice) issues.push(choice);
  if (issues.length > 0) throw faults('VALIDATION_ERROR', issues);
}

function choiceIssue(named: boolean, joined: string | null): Issue | null {
  if (named === (joined === null)) return null;
  const detail = named
    ? 'Join an organization or name a new one, not both.'
    : 'Name a new organization, or send x-organization-id to join one.';
  return { pointer: '/organization_name', code: 'VALIDATION_ERROR', detail };
}

/**
 * Creates an account, which joins or creates an organization only when its address is verified. For a taken address the
 * response and its cost are the same, and the mailbox gets a mail: another verification mail if the account is unverified
 * and the password is that of its sign-up; otherwise as in note 0022.
 * @throws DomainError VALIDATION_ERROR, ORGANIZATION_FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function signUp(ctx: Context, input: z.output<typeof signUpInput>, joined: string | null): Promise<void> {
  const choice = choiceIssue(input.organization_name !== undefined, joined);
  if (choice) throw faults('VALIDATION_ERROR', [choice]);
  await spend(ctx, ...networkKeys('signup_network', ctx.client.ip));
  // a taken address costs a hash and the same statements: the duration must not reveal it
  const salt = ctx.services.signUpSalts.saltOf(input.email);
  const hash = await takePasswordTurn('sign_up', ctx, input.email, () => hashPassword(input.password, salt));
  await transaction(ctx, async (tx) => {
    if (joined !== null) await requireOpen(tx, joined);
    const wish = { name: input.name, organization_id: joined, organization_name: input.organization_name ?? null };
    const { id, created, repeats } = await claimAddress(tx, { email: input.email, hash, wish });
    const action = repeats ? 'user.signed_up' : 'user.signup_refused';
    const detail = repeats ? { again: !created } : { reason: 'address_taken' };
    await recordAudit(tx, { action, actorId: created ? id : null, subjectId: id, detail });
    await queueMail(tx, signupMail, { userId: id, repeats, wish });
  });
}

// texts: each is one statement, so that a taken address takes as long as a new one
const createAccount = prepared(
  (at: { id: string; email: string; mailbox: string; name: string | null; hash: string }) => sql<{
    id: string;
  }>`with made as (
      insert into "user" (id, email, mailbox, name, password_hash, created_at, updated_at)
      values (${at.id}, ${at.email}, ${at.mailbox}, ${at.name}, ${at.hash}, now(), now())
      on conflict (mailbox) do nothing returning id
    )
    insert into pending_sign_up (user_id, name, created_at) select id, ${at.name}, now() from made returning user_id as id`,
);

// `repeats`: the account is new, or is unverified and the password is that of its sign-up; the lock waits for a verification
const noteSignUp = prepared(
  (at: { mailbox: string; hash: string } & Wish) => sql<{ id: string; repeats: boolean }>`with account as (
      select u.id, (u.verified_at is null and u.password_hash = ${at.hash} and not p.disputed) is true as repeats
      from "user" u left join pending_sign_up p on p.user_id = u.id where u.mailbox = ${at.mailbox} for share of u
    ), noted as (
      update pending_sign_up p set name = ${at.name}, organization_id = ${at.organization_id}, organization_name = ${at.organization_name}
      from account where account.repeats and p.user_id = account.id
    )
    select id, repeats from account`,
);

/** Creates an account unless the address has one; stores what the sign-up asks for if it can still be verified. */
async function claimAddress(
  { db }: Context,
  { email, hash, wish }: { email: string; hash: string; wish: Wish },
): Promise<RowOf<typeof noteSignUp> & { created: boolean }> {
  const mailbox = mailboxOf(email);
  const created = await db.row(createAccount({ id: randomUUIDv7(), email, mailbox, name: wish.name, hash }));
  // a separate statement, so that it sees a concurrently created account
  const account = await db.row(noteSignUp({ mailbox, hash, ...wish }));
  // the unverified account was deleted concurrently
  if (!account) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
  return { ...account, created: account.id === created?.id };
}

async function requireOpen(ctx: Context, id: string): Promise<void> {
  if (!(await ctx.db.row(openOrganization({ id })))) throw new DomainError('ORGANIZATION_FORBIDDEN');
}
