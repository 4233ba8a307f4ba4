import type { z } from 'zod';
import { text } from '#input-values';
import { longestPassword, namesAddress, ownAddress, passwordFault, shortestPassword } from '#passwords';
import { type DomainError, faults } from '../../kernel/errors.ts';

/** See reference/sign-in.md#passwords. */
export const newPassword = text
  .superRefine((password, context) => {
    const message = passwordFault(password);
    if (message !== null) context.addIssue({ code: 'custom', message, params: { code: 'WEAK_PASSWORD' } });
  })
  .meta({ minLength: shortestPassword, maxLength: longestPassword });

/** VALIDATION_ERROR with an entry WEAK_PASSWORD (reference/sign-in.md#passwords). */
export function weakPassword(detail: string): DomainError {
  return faults('VALIDATION_ERROR', [{ pointer: '/password', code: 'WEAK_PASSWORD', detail }]);
}

/** Adds the rule that the password must not contain the address to a schema with `email` and `password`. */
export function refuseOwnAddress<T extends { email: string; password: string }>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.refine(({ email, password }) => !namesAddress(password, email), {
    path: ['password'],
    error: ownAddress,
    params: { code: 'WEAK_PASSWORD' },
    // also if other fields have issues, as long as these two can be compared
    when: ({ value }) => isPair(value) && passwordFault(value.password) === null,
  });
}

function isPair(value: unknown): value is { email: string; password: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { email, password } = value as Record<string, unknown>;
  return typeof email === 'string' && email !== '' && typeof password === 'string';
}
