import { z } from 'zod';

/** A string that PostgreSQL can hold: no NUL, no lone surrogate. */
export const text = z
  .string()
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'Must not contain NUL or lone surrogates.');

/** The name of a person or an organization. */
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

export function longText(characters: number) {
  return text
    .refine((value) => hasAtMost(value, characters), `Must have at most ${characters.toLocaleString('en')} characters.`)
    .meta({ maxLength: characters });
}

/** The number of code points; Infinity, without counting, if there are certainly more than `most`. */
export function countCharacters(text: string, most: number): number {
  // a character has one or two UTF-16 units
  return text.length > 2 * most ? Number.POSITIVE_INFINITY : [...text].length;
}

export function hasAtMost(text: string, most: number): boolean {
  return countCharacters(text, most) <= most;
}

/** The text, cut with an ellipsis if it has more characters. */
export function shorten(text: string, most: number): string {
  if (hasAtMost(text, most)) return text;
  // no more units than those characters can have
  const characters = [...text.slice(0, 2 * most)].slice(0, most - 1);
  return `${characters.join('').trimEnd()}…`;
}

/** NFC composes at most four characters of two UTF-16 units into one. */
const unitsOfOne = 8;

/** Check this before normalizing: sorting combining marks takes quadratic time, two seconds for 100 KB. */
export function canNormalizeTo(text: string, most: number): boolean {
  return text.length <= most * unitsOfOne;
}
