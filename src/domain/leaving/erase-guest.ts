import { raw } from '@mikro-orm/core';
import type { z } from 'zod';
import type { Context } from '../../engine/context.ts';
import { type Transaction, transaction } from '../../engine/transaction.ts';
import { DomainError } from '../../kernel/errors.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import { hashToken } from '../../kernel/secret-token.ts';
import type { guestTokenInput } from '../guest/confirm-subscription.ts';
import { GuestRequest } from '../guest/guest-request.table.ts';
import { findLinked } from '../guest/own-link.ts';
import { Membership } from '../organization/membership.entity.ts';
import { isPerson, lockUser } from '../user/lock-user.ts';
import { User } from '../user/user.entity.ts';
import { erasePerson } from './erase-person.ts';

/**
 * Erases a guest, in every organization, by any link that was mailed to them (reference/leaving.md#guests).
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED; FORBIDDEN if the person has a password or a membership
 */
export async function eraseGuest(ctx: Context, { token }: z.output<typeof guestTokenInput>): Promise<void> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  await transaction(ctx, async (tx) => {
    const linked = await findLinked(tx, token);
    const userId = linked ? linked.user_id : await discardRequests(tx, token);
    if (userId === null) return;
    const user = await lockUser(tx, userId);
    if (!isPerson(user)) throw new DomainError('INVALID_VERIFICATION_TOKEN');
    if ((await tx.em.count(Membership, { user_id: userId })) > 0 || user.password_hash !== null)
      throw new DomainError('FORBIDDEN');
    await erasePerson(tx, user, []);
  });
}

/**
 * Discards the requests of a confirmation link's mailbox; returns the id of its user, if any.
 * @throws DomainError INVALID_VERIFICATION_TOKEN
 */
async function discardRequests({ em }: Transaction, token: string): Promise<string | null> {
  const request = await em.findOne(GuestRequest, { hash: hashToken(token), expires_at: { $gt: raw('now()') } });
  if (!request) throw new DomainError('INVALID_VERIFICATION_TOKEN');
  const { mailbox } = request;
  await em.nativeDelete(GuestRequest, { mailbox });
  return (await em.findOne(User, { mailbox }, { fields: ['id'] }))?.id ?? null;
}
