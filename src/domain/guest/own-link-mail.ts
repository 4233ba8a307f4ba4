import type { ComposeContext } from '../mail/composing.ts';
import { linkToken } from './guest-token.ts';

/** The address of a page that shows a subscription to whoever has the mail. */
export async function ownLink(ctx: ComposeContext, subscriptionId: string): Promise<string | null> {
  const token = await linkToken(ctx, ctx.services.linkTokens, subscriptionId);
  return token && `${ctx.publicUrl}/my-subscription?token=${token}`;
}
