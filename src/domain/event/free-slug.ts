/** The numbers that are asked for at a time: most names are free, and a few have been used very often. */
const batches = { first: 8, last: 1_000 };

/**
 * The first free one of a base, then of its numbered forms from 2 on, asked for in growing batches.
 *
 * @param numbered the form of the base with a number
 * @param takenOf those of the candidates that are taken
 */
export async function findFreeSlug(
  base: string,
  numbered: (number: number) => string,
  takenOf: (candidates: string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  for (let from = 1, size = batches.first; ; from += size, size = Math.min(2 * size, batches.last)) {
    const candidates = Array.from({ length: size }, (_, index) => (from + index === 1 ? base : numbered(from + index)));
    const taken = await takenOf(candidates);
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
