import type { Secrets } from '../config/secrets.ts';
import { SignUpSalts } from '../domain/account/sign-up-salt.ts';
import type { Services } from '../domain/services.ts';
import { AccessTokens } from '../domain/session/access-token.ts';
import { Access } from '../domain/session/active-sessions.ts';
import { RefreshTokens } from '../domain/session/refresh-token.ts';
import { LinkTokens } from '../domain/subscription/link-tokens.ts';
import { fillPlaces } from '../domain/subscription/places.ts';
import { CursorCodec } from '../engine/cursor.ts';
import type { Snapshots } from '../engine/snapshot.ts';
import type { Limits } from '../kernel/limits/limits.ts';
import { TextSealer } from '../kernel/sealed-text.ts';

export interface ServicesOptions {
  secrets: Secrets;
  /** Issuer and audience of the access tokens: the same for all replicas and after a restart. */
  issuer: string;
  refreshGraceSeconds: number;
  sessionMaxDays: number;
  changesRetentionDays: number;
  namesVariables: boolean;
  limits: Limits;
  snapshots: Snapshots;
  jobs: Services['jobs'];
  changes: Services['changes'];
  changeStreams: Services['changeStreams'];
  mailBudgets: Services['mailBudgets'];
  sendToEndpoint: Services['sendToEndpoint'];
  allowedTargets: Services['allowedTargets'];
}

/** Creates what signs and encrypts, which are replaced when the secrets change. */
export function createSigners(
  secrets: Secrets,
  issuer: string,
): Pick<Services, 'cursors' | 'sealer' | 'accessTokens' | 'refreshTokens' | 'signUpSalts' | 'linkTokens'> {
  return {
    cursors: new CursorCodec(secrets.cursorSecrets),
    sealer: new TextSealer(secrets.encryptionKeys),
    accessTokens: new AccessTokens({ privateKeys: secrets.privateKeys, issuer, audience: issuer }),
    refreshTokens: new RefreshTokens(secrets.cookieSecrets),
    signUpSalts: new SignUpSalts(secrets.cookieSecrets[0] as string),
    linkTokens: new LinkTokens(secrets.cookieSecrets[0] as string),
  };
}

/** Creates the services of the process. */
export function createServices(options: ServicesOptions): Services {
  const { secrets, issuer, refreshGraceSeconds, sessionMaxDays, changesRetentionDays, namesVariables, ...given } =
    options;
  return {
    ...createSigners(secrets, issuer),
    ...given,
    access: new Access(),
    fillPlaces,
    settings: {
      refreshGraceSeconds,
      sessionMaxDays,
      changesRetentionDays,
      namesVariables,
    },
  };
}
