import { closest } from 'fastest-levenshtein';

/** The longest name that is compared or repeated: a comparison takes time with the square of the length. */
const longest = 100;

/** The end of a detail about an unknown name, with the nearest known one. */
export function didYouMean(name: string, known: readonly string[]): string {
  return known.length === 0 ? '.' : `; did you mean \`${closest(name.slice(0, longest), [...known])}\`?`;
}
