import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { row } from '../database.ts';
import { collectIssues, DomainError, faults, type Issue } from '../errors.ts';
import { parseInput } from '../input/parse-input.ts';
import { displayName, emailAddress } from '../input/text.ts';
import { clientNetwork } from '../limits/client-network.ts';
import { queueMail } from '../mail/mail-job.ts';
import { insertOrganization } from '../organization/create-organization.ts';
import type { OrganizationRole } from '../organization/membership.entity.ts';
import { hashPassword } from '../session/password.ts';
import { slugOf } from '../slug.ts';
import { parseUuid } from '../uuid.ts';
import { newPassword, refuseOwnAddress } from './password-policy.ts';

/** Who signs up; `organization_name` makes a new organization (decisions §3). */
export const signUpInput = refuseOwnAddress(
  z
    .strictObject({
      email: emailAddress,
      password: newPassword,
      name: displayName,
      organization_name: displayName.optional(),
    })
    .meta({ id: 'SignUp' }),
);

/**
 * The organization that a sign-up wants to join, or null where the header is absent.
 *
 * @param header every `x-organization-id` header of the request
 * @throws DomainError ORGANIZATION_REQUIRED where there is not exactly one id; ORGANIZATION_FORBIDDEN, the same for an
 * organization that does not exist and for one that takes nobody by sign-up
 */
export async function findOpenOrganization(ctx: Context, header: string[] | undefined): Promise<string | null> {
  if (header === undefined) return null;
  const id = header.length === 1 ? parseUuid(header[0]) : null;
  if (id === null) throw new DomainError('ORGANIZATION_REQUIRED');
  const open = await row(ctx.em, sql`select id from organization where id = ${id} and signup = 'open'`);
  if (!open) throw new DomainError('ORGANIZATION_FORBIDDEN');
  return id;
}

/**
 * Checks what was sent together with what it joins, so that every issue is reported at once.
 *
 * @throws DomainError VALIDATION_ERROR
 */
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
 * Makes an account that is to be verified by mail, as member of an open organization or as owner of a new one. For an
 * address that is taken the answer and its cost are the same: nothing is made, changed or joined, and the owner of the
 * mailbox gets a mail.
 *
 * @throws DomainError VALIDATION_ERROR, ORGANIZATION_FORBIDDEN, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function signUp(ctx: Context, input: z.output<typeof signUpInput>, joined: string | null): Promise<void> {
  const name = input.organization_name;
  const choice = choiceIssue(name !== undefined, joined);
  if (choice) throw faults('VALIDATION_ERROR', [choice]);
  await ctx.services.limits.take({ rule: 'signup_network', key: clientNetwork(ctx.client.ip) });
  // an address that is taken costs its hash as well, and about as many statements: time must not tell
  const passwordHash = await hashPassword(input.password);
  const userId = await ctx.em.transactional(async (em) => {
    const inner = { ...ctx, em };
    const user = await insertUser(inner, { email: input.email, name: input.name, passwordHash });
    const organizationId = joined === null ? await found(inner, name as string, user) : await hold(inner, joined);
    if (user.created) await insertMembership(inner, user.id, organizationId, joined === null ? 'owner' : 'member');
    await record(inner, user, organizationId, joined === null ? 'created' : 'joined');
    await queueMail(inner, 'signup', {
      email: input.email,
      created: user.created,
      organizationId: joined,
      client: ctx.client,
    });
    return user.id;
  });
  if (userId !== null) ctx.services.access.forgetUser(userId);
  ctx.services.outbox.nudge();
}

/** An account that was made, or the one that has the address; the latter may be in the making by somebody else, without an id yet. */
type SignedUp = { created: true; id: string } | { created: false; id: string | null };

async function insertUser(
  { em }: Context,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<SignedUp> {
  const user = await row<{ id: string; created: boolean }>(
    em,
    sql`with made as (
          insert into "user" (id, email, name, password_hash, created_at, updated_at)
          values (${randomUUIDv7()}, ${email}, ${name}, ${passwordHash}, now(), now())
          on conflict (lower(email)) do nothing returning id
        )
        select id, true as created from made
        union all
        select id, false from "user" where lower(email) = lower(${email}) and not exists (select from made)`,
  );
  return user?.created ? { created: true, id: user.id } : { created: false, id: user?.id ?? null };
}

/** Founds an organization for a new account; for another only looks, which takes as long. */
async function found(ctx: Context, name: string, user: SignedUp): Promise<string | null> {
  if (user.created) return await insertOrganization(ctx.em, name);
  await row(ctx.em, sql`select from organization where slug = ${slugOf(name, 'organization')}`);
  return null;
}

/** Holds an organization open until the commit: it can neither close nor go meanwhile. */
async function hold(ctx: Context, id: string): Promise<string> {
  const open = await row(ctx.em, sql`select id from organization where id = ${id} and signup = 'open' for share`);
  if (!open) throw new DomainError('ORGANIZATION_FORBIDDEN');
  return id;
}

async function insertMembership(
  ctx: Context,
  userId: string,
  organizationId: string | null,
  role: OrganizationRole,
): Promise<void> {
  await row(
    ctx.em,
    sql`insert into membership (id, organization_id, user_id, role, created_at)
        values (${randomUUIDv7()}, ${organizationId}, ${userId}, ${role}, now())`,
  );
}

async function record(
  ctx: Context,
  user: SignedUp,
  organizationId: string | null,
  organization: 'created' | 'joined',
): Promise<void> {
  if (!user.created || organizationId === null) {
    await recordAudit(ctx, { action: 'user.signup_refused', subjectId: user.id, detail: { reason: 'address_taken' } });
    return;
  }
  const place = { organizationId, actorId: user.id, subjectId: user.id };
  await recordAudit(ctx, { ...place, action: 'user.signed_up', detail: { organization } });
}
