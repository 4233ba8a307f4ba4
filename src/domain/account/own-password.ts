import type { NotNull } from 'kysely';
import { verifyPassword } from '#passwords';
import { prepared, type RowOf } from '#postgres-access';
import type { ViewerContext } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { limitLogin } from '../session/login-limit.ts';
import { tables } from '../tables/tables.ts';

const ownAccount = prepared((at: { userId: string }) =>
  tables
    .selectFrom('user')
    .select(['email', 'password_hash'])
    .where('id', '=', at.userId)
    .where('email', 'is not', null)
    .$narrowType<{ email: NotNull }>(),
);
type OwnAccount = RowOf<typeof ownAccount>;

/** @throws DomainError INVALID_TOKEN if the account was deleted or erased concurrently */
export async function findOwnAccount(ctx: ViewerContext): Promise<OwnAccount> {
  const account = await ctx.db.row(ownAccount(ctx.viewer));
  if (!account) throw new DomainError('INVALID_TOKEN');
  return account;
}

/**
 * Runs work once the viewer has sent their password, under the limits of sign-in: a stolen access token gives no
 * additional guesses. The work gets the hash that the password was checked against.
 * @throws DomainError INVALID_CREDENTIALS, RATE_LIMITED, SERVICE_UNAVAILABLE, and what the work throws
 */
export async function checkOwnPassword(
  ctx: ViewerContext,
  password: string,
  work: (known: string | null) => Promise<unknown>,
  account?: OwnAccount,
): Promise<void> {
  const { password_hash: known } = account ?? (await findOwnAccount(ctx));
  await limitLogin(ctx, ctx.viewer.userId, async () => {
    try {
      if (!(await verifyPassword(known, password))) throw wrongPassword();
      await work(known);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'INVALID_CREDENTIALS') await recordRefusal(ctx);
      throw error;
    }
  });
}

/** Names no address, since none was sent. */
export function wrongPassword(): DomainError {
  return new DomainError('INVALID_CREDENTIALS', { detail: 'The password is wrong.' });
}

async function recordRefusal(ctx: ViewerContext): Promise<void> {
  const { userId } = ctx.viewer;
  const detail = { reason: 'wrong_password' };
  await recordAudit(ctx, { action: 'password.refused', actorId: userId, subjectId: userId, detail });
}
