import sql from 'sql-template-tag';
import { recordAudit } from '../audit/audit.ts';
import type { Client } from '../context.ts';
import { row } from '../database.ts';
import type { ComposeContext, Composers } from '../mail/compose.ts';
import type { Letter, Recipient } from '../mail/letter.ts';

import { cancelToken, issueToken, tokenMinutes } from './one-time-token.ts';

interface Owner {
  id: string;
  email: string;
  name: string;
  verified: boolean;
}

/** The mails about accounts. */
export const accountMail = {
  async signup(ctx, { email, created, organizationId }) {
    const owner = await findMailable(ctx, email);
    if (!owner) return null;
    if (created && !owner.verified) return await verifyLetter(ctx, owner);
    const organization = owner.verified ? await findJoinable(ctx, owner.id, organizationId) : null;
    if (organization) {
      const token = await issueToken(ctx, { userId: owner.id, purpose: 'verify_email', organizationId });
      return { kind: 'join', ...verifyLink(ctx, token), to: recipient(owner), organization };
    }
    // whoever made an account that nobody verified may know its password: a new one shuts them out
    if (!owner.verified) await cancelToken(ctx, owner.id, 'verify_email');
    const token = await issueToken(ctx, { userId: owner.id, purpose: 'reset_password' });
    return { kind: 'account_exists', ...resetLink(ctx, token), to: recipient(owner) };
  },
  async verification_requested(ctx, { email, client }) {
    const owner = await findMailable(ctx, email, (found) => !found.verified);
    if (!owner) return null;
    await record(ctx, client, owner, 'user.verification_requested');
    return await verifyLetter(ctx, owner);
  },
  async reset_requested(ctx, { email, client }) {
    const owner = await findMailable(ctx, email);
    if (!owner) return null;
    await record(ctx, client, owner, 'user.password_reset_requested');
    const token = await issueToken(ctx, { userId: owner.id, purpose: 'reset_password' });
    return { kind: 'reset', ...resetLink(ctx, token), to: recipient(owner) };
  },
  // neither limited nor caused by a stranger: whoever changed the password had a token
  async password_changed(ctx, { userId }) {
    const owner = await row<Owner>(
      ctx.em,
      sql`select id, email, name, true as verified from "user" where id = ${userId}`,
    );
    return owner ? { kind: 'password_changed', to: recipient(owner) } : null;
  },
} satisfies Partial<Composers>;

/** The account of an address to which a mail may go now: at most three an hour (decisions §3). */
async function findMailable(
  ctx: ComposeContext,
  email: string,
  condition: (owner: Owner) => boolean = () => true,
): Promise<Owner | null> {
  const owner = await row<Owner>(
    ctx.em,
    sql`select id, email, name, verified_at is not null as verified from "user" where lower(email) = lower(${email})`,
  );
  if (!owner || !condition(owner)) return null;
  const within = !ctx.first || (await ctx.services.limits.tryTake({ rule: 'mailbox', key: owner.email.toLowerCase() }));
  return within ? owner : null;
}

/** The name of an organization that the user could join, or null. */
async function findJoinable(ctx: ComposeContext, userId: string, id: string | null): Promise<string | null> {
  const open = await row<{ name: string }>(
    ctx.em,
    sql`select name from organization o where id = ${id}::uuid and signup = 'open'
        and not exists (select from membership where organization_id = o.id and user_id = ${userId})`,
  );
  return open?.name ?? null;
}

async function verifyLetter(ctx: ComposeContext, owner: Owner): Promise<Letter> {
  const token = await issueToken(ctx, { userId: owner.id, purpose: 'verify_email' });
  return { kind: 'verify', ...verifyLink(ctx, token), to: recipient(owner) };
}

async function record(ctx: ComposeContext, client: Client, owner: Owner, action: string): Promise<void> {
  if (ctx.first) await recordAudit({ em: ctx.em, client }, { action, subjectId: owner.id });
}

/** A name that nobody has stood for yet may be a stranger's message to the owner of the mailbox. */
function recipient({ email, name, verified }: Owner): Recipient {
  return { address: email, name: verified ? name : null };
}

function verifyLink({ publicUrl }: ComposeContext, token: string) {
  return { link: `${publicUrl}/verify-email?token=${token}`, hours: tokenMinutes.verify_email / 60 };
}

function resetLink({ publicUrl }: ComposeContext, token: string) {
  return { link: `${publicUrl}/reset-password?token=${token}`, minutes: tokenMinutes.reset_password };
}
