import type { Context } from '../../engine/context.ts';
import { networkKeys } from '../../kernel/limits/client-network.ts';
import { spend } from '../../kernel/limits/limits.ts';
import type { PublicEventRow } from '../public/public-event.resource.ts';
import type { SubscriptionStatus } from '../subscription/subscription.entity.ts';
import { showRequest } from './guest-request.ts';
import { findLinked, showOwn } from './own-link.ts';

/** What a mailed link shows. */
export interface Linked {
  event: PublicEventRow;
  /** Null if the link would make a subscription; `answers` are then those that would be stored. */
  status: SubscriptionStatus | null;
  answers: Record<string, unknown> | null;
}

/**
 * Shows the subscription of a mailed link, or the one that it would make. Changes nothing.
 *
 * @throws DomainError INVALID_VERIFICATION_TOKEN, RATE_LIMITED, REGISTRATION_CLOSED if it would subscribe to an event
 * that is no longer public
 */
export async function lookUpLink(ctx: Context, { token }: { token: string }): Promise<Linked> {
  await spend(ctx, ...networkKeys('token_network', ctx.client.ip));
  const linked = await findLinked(ctx, token);
  if (linked) return await showOwn(ctx, linked);
  const { event, answers } = await showRequest(ctx, token);
  return { event, status: null, answers };
}
