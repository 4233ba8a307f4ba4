import { z } from 'zod';

/** A string that PostgreSQL can hold: no NUL, no lone surrogate. */
export const text = z
  .string()
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'Must not contain NUL or lone surrogates.');

/**
 * An e-mail address. Lenient on purpose, non-ASCII included: whether one exists is proven by a mail to it, and every
 * address that an account may have must pass here to sign in.
 */
export const emailAddress = text
  .max(320, 'Must have 320 characters at the most.')
  .regex(z.regexes.unicodeEmail, 'Must be an e-mail address.')
  .meta({ format: 'email' });

/** The name of a person or an organization, as it is shown: 1 to 200 characters, white space around it left out. */
export const displayName = text
  .trim()
  .min(1, 'Must not be empty.')
  .refine((value) => [...value].length <= 200, 'Must have 200 characters at the most.')
  .meta({ minLength: 1, maxLength: 200 });
