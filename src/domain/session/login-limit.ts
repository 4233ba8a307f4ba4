import { mailboxOf } from '#input-values';
import { prepared } from '#postgres-access';
import type { Context } from '../../engine/context.ts';
import { DomainError } from '../../kernel/errors.ts';
import { clientNetwork, networkKeys } from '../../kernel/limits/client-network.ts';
import { giveBack, type LimitKey, spend } from '../../kernel/limits/limits.ts';
import { tables } from '../tables/tables.ts';
import { takePasswordTurn } from './password-turns.ts';

/**
 * Runs a sign-in attempt under its limits (reference/sign-in.md#limits-of-sign-in). It is counted in its turn before its
 * password is checked, and the count is undone unless it fails: so parallel attempts get no additional guesses, and many
 * with the correct password do not count as failures. A success resets the account's count.
 * @param accountKey the id of the account; see {@link findAccountKey}
 * @throws DomainError RATE_LIMITED, SERVICE_UNAVAILABLE, and what the attempt throws
 */
export async function limitLogin<T>(ctx: Context, accountKey: string, attempt: () => Promise<T>): Promise<T> {
  const { limits } = ctx.services;
  const account: LimitKey = { rule: 'login_account', key: `${clientNetwork(ctx.client.ip)} ${accountKey}` };
  const networks = networkKeys('login_network', ctx.client.ip);
  const succeed = async () => {
    await Promise.all([giveBack(ctx, ...networks), limits.forget(account)]);
    ctx.usage.removeBudgets([account.rule]);
  };
  return await takePasswordTurn('sign_in', ctx, accountKey, async () => {
    if (!limits.enabled) return await attempt();
    await spend(ctx, account, ...networks);
    try {
      const result = await attempt();
      await succeed();
      return result;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'USER_NOT_VERIFIED') {
        // the password was correct
        await succeed();
      } else if (!(error instanceof DomainError && error.code === 'INVALID_CREDENTIALS')) {
        // an error on our side is not a failed attempt; if the database is down, the count stays
        await giveBack(ctx, account, ...networks).catch(() => undefined);
      }
      throw error;
    }
  });
}

const idOf = prepared((at: { mailbox: string }) =>
  tables.selectFrom('user').select('id').where('mailbox', '=', at.mailbox),
);

/** Attempts are counted under the id of the account, however the address is spelt, or under the mailbox without one. */
export async function findAccountKey(ctx: Pick<Context, 'db'>, email: string): Promise<string> {
  const mailbox = mailboxOf(email);
  const account = await ctx.db.row(idOf({ mailbox }));
  return account?.id ?? mailbox;
}
