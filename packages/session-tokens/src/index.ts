export { AccessTokens } from './access-token.ts';
export { type RefreshClaims, RefreshTokens } from './refresh-token.ts';
