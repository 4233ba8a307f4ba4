import { AccessTokens } from '../packages/session-tokens/src/index.ts';
import { publicUrl, tokenKey } from './peers.ts';

const tokens = new AccessTokens({ privateKeys: [tokenKey], issuer: publicUrl, audience: publicUrl });
/** Minutes for which a token is sent; it is valid for longer. */
const freshFor = 20;
const issued = new Map<string, { at: number; token: Promise<{ token: string }> }>();

/**
 * The headers of a user whose session has the id of the user. The token is issued here: signing in hashes a password, which
 * takes longer than everything measured.
 */
export async function headersOf(user: string, organization: string): Promise<Record<string, string>> {
  const now = new Date();
  let known = issued.get(user);
  if (!known || now.getTime() - known.at > freshFor * 60_000) {
    known = { at: now.getTime(), token: tokens.issue({ userId: user, sessionId: user, now }) };
    issued.set(user, known);
  }
  return { authorization: `Bearer ${(await known.token).token}`, 'x-organization-id': organization };
}
