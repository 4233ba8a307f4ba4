/** Shares a run of `work` with concurrent callers, and its result or error with callers up to `age` milliseconds later. */
export function sharedAnswer<Answer>(work: () => Promise<Answer>, age: number): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  let validUntil = 0;
  return () => {
    if (answer && performance.now() < validUntil) return answer;
    validUntil = Number.POSITIVE_INFINITY;
    answer = work();
    const keep = () => {
      validUntil = performance.now() + age;
    };
    answer.then(keep, keep);
    return answer;
  };
}
