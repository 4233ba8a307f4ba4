import { z } from 'zod';
import { requestPasswordReset, resetPassword, resetPasswordInput } from '../../domain/account/password-reset.ts';
import { checkSignUp, findOpenOrganization, signUp, signUpInput } from '../../domain/account/signup.ts';
import {
  mailRequestInput,
  requestVerification,
  verifyEmail,
  verifyEmailInput,
} from '../../domain/account/verification.ts';
import { onlyValue } from '../../http/framing.ts';
import { type ParameterDoc, type Route, route } from '../server/route.ts';

const joinHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  description: 'The organization to join as a member; instead of `organization_name`.',
  schema: { type: 'string', format: 'uuid' },
};

/** Account operations without a sign-in: sign-up, verification of the address, password reset (interface/accounts.md). */
export const accountRoutes: Route[] = [
  route({
    method: 'post',
    path: '/auth/signup',
    operationId: 'signUp',
    summary:
      'Creates an account. Once its address is verified, it joins an open organization or creates a new one. Always `true`, even if the address is taken.',
    tag: 'auth',
    access: 'none',
    parameters: [joinHeader],
    before: async ({ ctx, request }) => {
      const named = request.headersDistinct['x-organization-id'];
      checkSignUp(request.body, named ? await findOpenOrganization(ctx, onlyValue(named)) : null);
    },
    body: signUpInput.meta({ id: 'SignUp' }),
    response: z.literal(true),
    errors: ['WEAK_PASSWORD', 'ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN', 'RATE_LIMITED'],
    async handle({ ctx, body, request }) {
      await signUp(ctx, body, request.get('x-organization-id') ?? null);
      return true;
    },
  }),
  route({
    method: 'post',
    path: '/auth/verify-email-request',
    operationId: 'requestEmailVerification',
    summary: 'Sends another verification link by mail; always `true`, even if the address is unknown.',
    tag: 'auth',
    access: 'none',
    body: mailRequestInput,
    response: z.literal(true),
    errors: ['RATE_LIMITED'],
    async handle({ ctx, body }) {
      await requestVerification(ctx, body);
      return true;
    },
  }),
  route({
    method: 'post',
    path: '/auth/verify-email',
    operationId: 'verifyEmail',
    summary:
      'Verifies an e-mail address with the token from the mail; the account then joins or creates the organization of the sign-up.',
    tag: 'auth',
    access: 'none',
    body: verifyEmailInput,
    response: z.literal(true),
    errors: ['INVALID_VERIFICATION_TOKEN', 'RATE_LIMITED'],
    async handle({ ctx, body }) {
      await verifyEmail(ctx, body);
      return true;
    },
  }),
  route({
    method: 'post',
    path: '/auth/reset-password-request',
    operationId: 'requestPasswordReset',
    summary: 'Sends a link to set a new password by mail; always `true`, even if the address is unknown.',
    tag: 'auth',
    access: 'none',
    body: mailRequestInput,
    response: z.literal(true),
    errors: ['RATE_LIMITED'],
    async handle({ ctx, body }) {
      await requestPasswordReset(ctx, body);
      return true;
    },
  }),
  route({
    method: 'post',
    path: '/auth/reset-password',
    operationId: 'resetPassword',
    summary: 'Sets a new password with the token from the mail; ends all sessions and the secret calendar address.',
    tag: 'auth',
    access: 'none',
    body: resetPasswordInput,
    response: z.literal(true),
    errors: ['INVALID_RESET_TOKEN', 'WEAK_PASSWORD', 'RATE_LIMITED'],
    async handle({ ctx, body }) {
      await resetPassword(ctx, body);
      return true;
    },
  }),
];
