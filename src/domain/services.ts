import type { Limits } from './limits/limits.ts';
import type { CursorCodec } from './list/cursor.ts';
import type { Access } from './session/access.ts';
import type { AccessTokens } from './session/access-token.ts';
import type { RefreshTokens } from './session/refresh-token.ts';

/** What lives as long as the process and every request shares. Made in the composition root. */
export interface Services {
  cursors: CursorCodec;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  access: Access;
  limits: Limits;
  /** Sends what `queueMail` queued: `nudge` it after the commit. */
  outbox: { nudge(): void };
  settings: {
    /** For how long the parent of a refresh token is still accepted, in seconds (decisions §3). */
    refreshGraceSeconds: number;
    /** The absolute life of a session, in days. */
    sessionMaxDays: number;
  };
}
