/**
 * Shares one run of `work` among concurrent callers, and its result or error with callers within `age` milliseconds after
 * its end, so that at most one run is in progress.
 */
export function sharedAnswer<Answer>(work: () => Promise<Answer>, age: number): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  let goodUntil = 0;
  return () => {
    if (answer && performance.now() < goodUntil) return answer;
    goodUntil = Number.POSITIVE_INFINITY;
    answer = work();
    const keep = () => {
      goodUntil = performance.now() + age;
    };
    answer.then(keep, keep);
    return answer;
  };
}
