/**
 * The number of characters (code points) of a text. Infinity, without counting, if there are certainly more than `most`, so
 * that a megabyte of text costs nothing.
 */
export function countCharacters(text: string, most: number): number {
  // a character has one or two UTF-16 units
  return text.length > 2 * most ? Number.POSITIVE_INFINITY : [...text].length;
}

/** Whether a text has at most `most` characters. */
export function hasAtMost(text: string, most: number): boolean {
  return countCharacters(text, most) <= most;
}

/** The maximum number of UTF-16 units that NFC composes into one character: four characters of two units. */
const unitsOfOne = 8;

/**
 * Whether a text may have at most `most` characters in NFC. Check this before normalizing a text of unlimited length:
 * sorting combining marks takes quadratic time, two seconds for 100 KB.
 */
export function canNormalizeTo(text: string, most: number): boolean {
  return text.length <= most * unitsOfOne;
}
