import { z } from 'zod';
import { hasAtMost } from './characters.ts';

/** A string that PostgreSQL can hold: no NUL, no lone surrogate. */
export const text = z
  .string()
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'Must not contain NUL or lone surrogates.');

/** The name of a person or an organization: 1 to 200 characters, trimmed. */
export const displayName = text
  .trim()
  .min(1, 'Must not be empty.')
  .refine((value) => hasAtMost(value, 200), 'Must have at most 200 characters.')
  .meta({ minLength: 1, maxLength: 200 });

/** One line of text: trimmed, without control characters. */
export function line(characters: number) {
  return (
    text
      .trim()
      .min(1, 'Must not be empty.')
      .refine((value) => hasAtMost(value, characters), `Must have at most ${characters} characters.`)
      // `text` already rejects NUL
      .refine((value) => !/\p{Cc}/u.test(value.replaceAll('\0', '')), 'Must not contain control characters.')
      .meta({ minLength: 1, maxLength: characters })
  );
}
