import { closest } from 'fastest-levenshtein';

/** Characters that are compared or repeated: the time of a comparison grows with the square of the length. */
const longest = 100;

/** A name that differs only in case comes first. */
export function nearestName(name: string, known: readonly string[]): string {
  const lower = name.slice(0, longest).toLowerCase();
  return known.find((each) => each.toLowerCase() === lower) ?? closest(lower, [...known]);
}

/** The end of a detail about an unknown name, with the nearest known one. */
export function didYouMean(name: string, known: readonly string[]): string {
  return known.length === 0 ? '.' : `; did you mean \`${nearestName(name, known)}\`?`;
}
