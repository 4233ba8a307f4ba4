/** Finds what went wrong beside the assertions of a test since it was last called. */
export type Verdict = () => string[];

const verdicts = new Set<Verdict>();

/** From now on a test fails after which the verdict finds something; the function that is returned ends that. */
export function failTestsOn(verdict: Verdict): () => void {
  verdicts.add(verdict);
  return () => void verdicts.delete(verdict);
}

/** @throws Error with all that was found since the last call */
export function expectNothingFound(): void {
  const found = [...verdicts].flatMap((verdict) => verdict());
  if (found.length > 0) throw new Error(found.join('\n'));
}
