const alphabets = {
  // removes the accents of Latin, Greek and Cyrillic letters; in other scripts, marks are part of the spelling
  every: { marks: /[\u0300-\u036f]/g, others: /[^\p{L}\p{M}\p{N}]+/gu },
  ascii: { marks: /\p{M}+/gu, others: /[^a-z0-9]+/g },
};

export const maxSlugLength = 80;

/** @param fallback for names without a character of the alphabet */
export function slugOf(name: string, fallback: string, alphabet: keyof typeof alphabets = 'every'): string {
  const { marks, others } = alphabets[alphabet];
  const plain = name.normalize('NFKD').replace(marks, '').normalize('NFKC').toLowerCase();
  const joined = plain.replace(others, '-').replace(/^-|-$/g, '');
  return [...joined].slice(0, maxSlugLength).join('').replace(/-$/, '') || fallback;
}

/** Candidates that are looked up at a time: most names are free, a few have been used very often. */
const batches = { first: 8, last: 1_000 };

/** The given slug, or the first free one with a number from 2 on. */
export async function findFreeSlug(
  base: string,
  takenOf: (candidates: string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  for (let from = 1, size = batches.first; ; from += size, size = Math.min(2 * size, batches.last)) {
    const candidates = Array.from({ length: size }, (_, index) => {
      if (from + index === 1) return base;
      const suffix = `-${from + index}`;
      return base.slice(0, maxSlugLength - suffix.length).replace(/-$/, '') + suffix;
    });
    const taken = await takenOf(candidates);
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
