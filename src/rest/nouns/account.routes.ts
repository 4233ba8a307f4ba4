import { requestPasswordReset, resetPassword, resetPasswordInput } from '../../domain/account/password-reset.ts';
import { checkSignUp, findOpenOrganization, signUp, signUpInput } from '../../domain/account/signup.ts';
import {
  mailRequestInput,
  requestVerification,
  verifyEmail,
  verifyEmailInput,
} from '../../domain/account/verification.ts';
import { onlyValue } from '../../http/incoming.ts';
import { type ParameterDoc, route, tagged } from '../server/route.ts';

const joinHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  description: 'The organization to join as a member; instead of `organization_name`.',
  schema: { type: 'string', format: 'uuid' },
};

/** Account operations without a sign-in: sign-up, verification of the address, password reset (reference/accounts.md). */
export const accountRoutes = tagged('auth', [
  route('POST /auth/signup', {
    operationId: 'signUp',
    summary:
      'Creates an account. Once its address is verified, it joins an open organization or creates a new one. Always `true`, even if the address is taken.',
    access: 'none',
    parameters: [joinHeader],
    before: async ({ ctx, request }) => {
      const named = request.headersDistinct['x-organization-id'];
      checkSignUp(request.body, named ? await findOpenOrganization(ctx, onlyValue(named)) : null);
    },
    body: signUpInput.meta({ id: 'SignUp' }),
    errors: ['WEAK_PASSWORD', 'ORGANIZATION_REQUIRED', 'ORGANIZATION_FORBIDDEN', 'RATE_LIMITED'],
    handle: ({ ctx, body, request }) => signUp(ctx, body, request.get('x-organization-id') ?? null),
  }),
  route('POST /auth/verify-email-request', {
    operationId: 'requestEmailVerification',
    summary: 'Sends another verification link by mail; always `true`, even if the address is unknown.',
    access: 'none',
    body: mailRequestInput,
    errors: ['RATE_LIMITED'],
    handle: ({ ctx, body }) => requestVerification(ctx, body),
  }),
  route('POST /auth/verify-email', {
    operationId: 'verifyEmail',
    summary:
      'Verifies an e-mail address with the token from the mail; the account then joins or creates the organization of the sign-up.',
    access: 'none',
    body: verifyEmailInput,
    errors: ['INVALID_VERIFICATION_TOKEN', 'RATE_LIMITED'],
    handle: ({ ctx, body }) => verifyEmail(ctx, body),
  }),
  route('POST /auth/reset-password-request', {
    operationId: 'requestPasswordReset',
    summary: 'Sends a link to set a new password by mail; always `true`, even if the address is unknown.',
    access: 'none',
    body: mailRequestInput,
    errors: ['RATE_LIMITED'],
    handle: ({ ctx, body }) => requestPasswordReset(ctx, body),
  }),
  route('POST /auth/reset-password', {
    operationId: 'resetPassword',
    summary: 'Sets a new password with the token from the mail; ends all sessions and the secret calendar address.',
    access: 'none',
    body: resetPasswordInput,
    errors: ['INVALID_RESET_TOKEN', 'WEAK_PASSWORD', 'RATE_LIMITED'],
    handle: ({ ctx, body }) => resetPassword(ctx, body),
  }),
]);
