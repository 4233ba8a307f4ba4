import { z } from 'zod';
import type { Credentials } from '../../domain/session/session.ts';
import { organizationRoles } from '../../kernel/request.ts';

/** The login response (reference/sign-in.md#credentials). */
export const credentialsSchema = z
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

export const jwksSchema = z
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

export function presentCredentials(credentials: Credentials): z.infer<typeof credentialsSchema> {
  return {
    access_token: credentials.accessToken,
    token_type: 'Bearer',
    expires: credentials.expires,
    refresh_token: credentials.refreshToken,
  };
}
