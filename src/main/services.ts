import { AccessTokens, RefreshTokens } from '#session-tokens';
import type { Secrets } from '../config/secrets.ts';
import { SignUpSalts } from '../domain/account/sign-up-salt.ts';
import type { Services } from '../domain/services.ts';
import { Access } from '../domain/session/active-sessions.ts';
import { LinkTokens } from '../domain/subscription/link-tokens.ts';
import { fillPlaces } from '../domain/subscription/places.ts';
import { CursorCodec } from '../engine/cursor.ts';
import { TextSealer } from '../kernel/sealed-text.ts';

type Signers = Pick<Services, 'cursors' | 'sealer' | 'accessTokens' | 'refreshTokens' | 'signUpSalts' | 'linkTokens'>;

type ServicesOptions = Omit<Services, keyof Signers | 'access' | 'fillPlaces'> & {
  secrets: Secrets;
  /** Issuer and audience of the access tokens: the same for all processes and after a restart. */
  issuer: string;
};

/** The services that are replaced when the secrets change. */
export function createSigners(secrets: Secrets, issuer: string): Signers {
  return {
    cursors: new CursorCodec(secrets.cursorSecrets),
    sealer: new TextSealer(secrets.encryptionKeys),
    accessTokens: new AccessTokens({ privateKeys: secrets.privateKeys, issuer, audience: issuer }),
    refreshTokens: new RefreshTokens(secrets.cookieSecrets),
    signUpSalts: new SignUpSalts(secrets.cookieSecrets[0] as string),
    linkTokens: new LinkTokens(secrets.cookieSecrets[0] as string),
  };
}

export function createServices({ secrets, issuer, ...given }: ServicesOptions): Services {
  return { ...createSigners(secrets, issuer), ...given, access: new Access(), fillPlaces };
}
