const maxLength = 80;

/**
 * The part of a link that a name becomes: lower case, letters and digits of any script, words joined by a hyphen, at
 * most 80 characters. `fallback` is for names that have neither letter nor digit. Not unique by itself.
 */
export function slugOf(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    // accents of Latin, Greek and Cyrillic letters; the marks of other scripts are letters to their readers
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  const joined = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return [...joined].slice(0, maxLength).join('').replace(/-$/, '') || fallback;
}
