import { requestPasswordReset, resetPassword, resetPasswordInput } from '../../domain/account/password-reset.ts';
import { checkSignUp, findOpenOrganization, signUp, signUpInput } from '../../domain/account/signup.ts';
import {
  mailRequestInput,
  requestVerification,
  verifyEmail,
  verifyEmailInput,
} from '../../domain/account/verification.ts';
import { onlyValue } from '../../http/incoming.ts';
import { openRoute, type ParameterDoc, route, tagged } from '../server/route.ts';

const joinHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  description: 'The organization to join as a member; instead of `organization_name`.',
  schema: { type: 'string', format: 'uuid' },
};

/** Account operations without a sign-in: sign-up, verification of the address, password reset (reference/accounts.md). */
export const accountRoutes = tagged('auth', [
  route('POST /auth/signup', 'signUp', {
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
  openRoute('POST /auth/verify-email-request', 'requestEmailVerification', requestVerification, {
    summary: 'Sends another verification link by mail; always `true`, even if the address is unknown.',
    body: mailRequestInput,
    errors: ['RATE_LIMITED'],
  }),
  openRoute('POST /auth/verify-email', 'verifyEmail', verifyEmail, {
    summary:
      'Verifies an e-mail address with the token from the mail; the account then joins or creates the organization of the sign-up.',
    body: verifyEmailInput,
    errors: ['INVALID_VERIFICATION_TOKEN', 'RATE_LIMITED'],
  }),
  openRoute('POST /auth/reset-password-request', 'requestPasswordReset', requestPasswordReset, {
    summary: 'Sends a link to set a new password by mail; always `true`, even if the address is unknown.',
    body: mailRequestInput,
    errors: ['RATE_LIMITED'],
  }),
  openRoute('POST /auth/reset-password', 'resetPassword', resetPassword, {
    summary: 'Sets a new password with the token from the mail; ends all sessions and the secret calendar address.',
    body: resetPasswordInput,
    errors: ['INVALID_RESET_TOKEN', 'WEAK_PASSWORD', 'RATE_LIMITED'],
  }),
]);
