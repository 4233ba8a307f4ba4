import { failTestsOn } from './verdicts.ts';

const message = '"msg":"a compiled operation failed"';

/**
 * From now on a failure of a compiled operation fails the test in which it happens, unless the test takes its line from
 * the log.
 */
export function watchCompiledFailures(log: string[]): { take(): string[]; end(): void } {
  let seen = log.length;
  const take = () => {
    const added = log.slice(seen);
    seen = log.length;
    return added.filter((line) => line.includes(message));
  };
  return { take, end: failTestsOn(take) };
}
