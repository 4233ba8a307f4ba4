import { dictionary } from '@zxcvbn-ts/language-common';
import type { z } from 'zod';
import { canNormalizeTo, countCharacters, longestAddress, text } from '#input-values';
import { type DomainError, faults } from '../../kernel/errors.ts';
import { longestPassword } from '../session/password.ts';

/** Code points of the normalized password (reference/sign-in.md#passwords). */
const shortest = 8;
const longest = longestPassword;
const tooLong = `Must have at most ${longest} characters.`;
const ownAddress = 'Must not be the e-mail address.';

let common: ReadonlySet<string> | undefined;

function isCommon(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((each) => each.length >= shortest));
  const lower = password.toLowerCase();
  return common.has(lower) || new Set(password).size === 1 || isRun(lower) || isRepeated(lower);
}

const digits = '0123456789';
const ascending = [digits.repeat(2), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'];
const runs = [...ascending, ...ascending.map((each) => [...each].reverse().join(''))];

/** `23456789`, `0987654321`, `abcdefgh`, `asdfghjkl`. */
function isRun(password: string): boolean {
  return runs.some((run) => run.includes(password));
}

/** `12341234`, `abcabcabc`; a longer one is hard to guess. */
function isRepeated(password: string): boolean {
  return password.length <= 16 && /^(\d{1,4}|[a-z]{1,4})\1+$/.test(password);
}

/**
 * Why a password is refused, or null. There are no composition rules: a strong password is long and not common
 * (NIST SP 800-63B, section 3.1.1.2).
 * @param email the account's address, if known
 */
export function passwordFault(password: string, email?: string): string | null {
  if (!canNormalizeTo(password, longest)) return tooLong;
  const normalized = password.normalize('NFC');
  const length = countCharacters(normalized, longest);
  if (length < shortest) return `Must have at least ${shortest} characters.`;
  if (length > longest) return tooLong;
  if (isCommon(normalized)) return 'This password is too common.';
  if (email !== undefined && namesAddress(normalized, email)) return ownAddress;
  return null;
}

/** Whether the password is the part of the address before the @, or contains the whole address. */
function namesAddress(password: string, email: string): boolean {
  if (!canNormalizeTo(email, longestAddress)) return false;
  const given = password.toLowerCase();
  const address = email.normalize('NFC').toLowerCase();
  return given.includes(address) || given === address.slice(0, address.lastIndexOf('@'));
}

export const newPassword = text
  .superRefine((password, context) => {
    const message = passwordFault(password);
    if (message !== null) context.addIssue({ code: 'custom', message, params: { code: 'WEAK_PASSWORD' } });
  })
  .meta({ minLength: shortest, maxLength: longest });

/** VALIDATION_ERROR with an entry WEAK_PASSWORD (reference/sign-in.md#passwords). */
export function weakPassword(detail: string): DomainError {
  return faults('VALIDATION_ERROR', [{ pointer: '/password', code: 'WEAK_PASSWORD', detail }]);
}

/** Adds the rule that the password must not contain the address to a schema with `email` and `password`. */
export function refuseOwnAddress<T extends { email: string; password: string }>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.refine(({ email, password }) => !namesAddress(password.normalize('NFC'), email), {
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
