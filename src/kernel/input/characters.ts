/**
 * The number of characters (code points) of a text, looked at only if they can be at most `most`: infinite for a text that
 * certainly has more, so that a megabyte costs nothing.
 */
export function countCharacters(text: string, most: number): number {
  // a character has one or two UTF-16 units
  return text.length > 2 * most ? Number.POSITIVE_INFINITY : [...text].length;
}

/** Whether a text has at most so many characters. */
export function hasAtMost(text: string, most: number): boolean {
  return countCharacters(text, most) <= most;
}

/** The most UTF-16 units that NFC composes into one character: four characters of two units. */
const unitsOfOne = 8;

/**
 * Whether a text can have at most `most` characters in Unicode's form NFC. Must be asked before a text of any length is
 * normalized: combining marks are sorted in quadratic time, 100 KB of them in two seconds.
 */
export function canNormalizeTo(text: string, most: number): boolean {
  return text.length <= most * unitsOfOne;
}
