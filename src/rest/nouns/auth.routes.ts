import type { Response } from 'express';
import { z } from 'zod';
import { emailAddress, text } from '#input-values';
import { bearerToken } from '../../domain/session/access.ts';
import { getProfile } from '../../domain/session/profile.read.ts';
import { type Credentials, login, logout, refresh } from '../../domain/session/session.ts';
import { noFields } from '../../engine/command.ts';
import { onlyValue } from '../../http/incoming.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseInput } from '../../kernel/input/parse-input.ts';
import { organizationRoles } from '../../kernel/request.ts';
import { TokenCookie } from '../server/cookie.ts';
import { refuseCrossSite } from '../server/cross-site.ts';
import { type Route, route, tagged } from '../server/route.ts';

/** The login response (reference/sign-in.md#credentials). */
const credentialsSchema = z
  .object({
    access_token: z.string().meta({ description: 'The JWT to send as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer'),
    expires: z.int().min(0).meta({ description: 'When the access token expires, in Unix milliseconds.' }),
    refresh_token: z.string().meta({
      description:
        'For information only: it cannot be used. `POST /auth/refresh` accepts only the signed cookie `token`, which the response sets; a browser sends it automatically.',
    }),
  })
  .meta({ id: 'Credentials' });

export const profileSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    organizations: z.array(
      z.object({ id: z.uuid(), name: z.string(), slug: z.string(), role: z.enum(organizationRoles) }),
    ),
  })
  .meta({ id: 'Profile' });

const jwksSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet' });

export interface AuthRoutesOptions {
  publicUrl: string;
  trustsOrigin(origin: string): boolean;
  /** Newest first. */
  cookieSecrets(): string[];
}

/** Sign-in and session handling (reference/sign-in.md). */
export function authRoutes(options: AuthRoutesOptions): Route[] {
  const cookie = new TokenCookie({ secrets: options.cookieSecrets, publicUrl: options.publicUrl });
  const keep = (response: Response, credentials: Credentials) => {
    cookie.write(response, credentials.refresh_token);
    return credentials;
  };
  const origins = { own: new URL(options.publicUrl).origin, trusts: options.trustsOrigin };

  return tagged('auth', [
    route('POST /auth/login', 'login', {
      summary: 'Signs in with e-mail address and password, and sets the cookie `token`.',
      access: 'none',
      body: z.strictObject({ email: emailAddress, password: text }),
      response: credentialsSchema,
      errors: ['INVALID_CREDENTIALS', 'USER_NOT_VERIFIED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
      handle: async ({ ctx, body, response }) => keep(response, await login(ctx, body)),
    }),
    route('POST /auth/refresh', 'refresh', {
      summary: 'Exchanges the cookie `token` for its successor and a new access token.',
      access: 'none',
      cookie: 'required',
      response: credentialsSchema,
      errors: ['VALIDATION_ERROR', 'TOKEN_NOT_FOUND', 'INVALID_TOKEN', 'CROSS_SITE'],
      async handle({ ctx, request, response }) {
        refuseCrossSite(request, origins);
        // the cookie authenticates this operation, so it is checked before the input
        const refreshToken = cookie.read(request);
        if (refreshToken === null) throw new DomainError('TOKEN_NOT_FOUND');
        parseInput(noFields, request.body);
        return keep(response, await refresh(ctx, { refreshToken }));
      },
    }),
    route('POST /auth/logout', 'logout', {
      summary: 'Ends the session of the cookie or, without one, of the access token; always `true`.',
      access: 'none',
      ignoresKeys: true,
      cookie: 'optional',
      errors: ['VALIDATION_ERROR', 'CROSS_SITE'],
      async handle({ ctx, request, response }) {
        refuseCrossSite(request, origins);
        parseInput(noFields, request.body);
        const accessToken = bearerToken(onlyValue(request.headersDistinct.authorization));
        await logout(ctx, { refreshToken: cookie.read(request), accessToken });
        cookie.clear(response);
      },
    }),
    route('GET /auth/me', 'getProfile', {
      read: 'viewer',
      summary: 'The signed-in user, with their organizations and roles.',
      access: 'user',
      response: profileSchema,
      errors: [],
      handle: ({ ctx }) => getProfile(ctx),
    }),
    route('GET /.well-known/jwks.json', 'getJsonWebKeySet', {
      summary: 'The public keys that verify access tokens (RFC 7517).',
      access: 'none',
      response: jwksSchema,
      errors: [],
      async handle({ ctx, response }) {
        response.set('cache-control', 'public, max-age=300');
        return ctx.services.accessTokens.jwks();
      },
    }),
  ]);
}
