import { closest } from 'fastest-levenshtein';

/** The longest name that is compared or repeated: a comparison takes time with the square of the length. */
const longest = 100;

/** The known name that is nearest to an unknown one; one that differs in its case alone comes first. */
export function nearestName(name: string, known: readonly string[]): string {
  const lower = name.slice(0, longest).toLowerCase();
  return known.find((each) => each.toLowerCase() === lower) ?? closest(lower, [...known]);
}

/** The end of a detail about an unknown name, with the nearest known one. */
export function didYouMean(name: string, known: readonly string[]): string {
  return known.length === 0 ? '.' : `; did you mean \`${nearestName(name, known)}\`?`;
}
