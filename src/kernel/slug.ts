const maxLength = 80;

/**
 * A slug from a name: lower case, letters and digits of any script, words joined by a hyphen, at most 80 characters.
 * `fallback` is for names without letters and digits. Not unique by itself.
 */
export function slugOf(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    // accents of Latin, Greek and Cyrillic letters; in other scripts marks are part of the spelling
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  const joined = plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return [...joined].slice(0, maxLength).join('').replace(/-$/, '') || fallback;
}
