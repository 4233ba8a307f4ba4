import type { Limits } from './domain/limits/limits.ts';
import { CursorCodec } from './domain/list/cursor.ts';
import type { Services } from './domain/services.ts';
import { Access } from './domain/session/access.ts';
import { AccessTokens } from './domain/session/access-token.ts';
import { RefreshTokens } from './domain/session/refresh-token.ts';
import type { Secrets } from './secrets.ts';

export interface ServicesOptions {
  secrets: Secrets;
  /** Issuer and audience of the access tokens: the same for every replica and after every restart. */
  issuer: string;
  refreshGraceSeconds: number;
  sessionMaxDays: number;
  limits: Limits;
  outbox: Services['outbox'];
}

/** Makes what lives as long as the process. */
export function createServices(options: ServicesOptions): Services {
  const { secrets, issuer, refreshGraceSeconds, sessionMaxDays, limits, outbox } = options;
  return {
    cursors: new CursorCodec(secrets.cursorSecrets),
    accessTokens: new AccessTokens({ privateKeys: secrets.privateKeys, issuer, audience: issuer }),
    refreshTokens: new RefreshTokens(secrets.cookieSecrets),
    access: new Access(),
    limits,
    outbox,
    settings: { refreshGraceSeconds, sessionMaxDays },
  };
}
