import type { Reporter, TestModule } from 'vitest/node';

/** Names at the end of a run, whatever else reports, each test that passed only when it was repeated. */
export class SecondAttempts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = modules.flatMap(({ children, relativeModuleId }) =>
      [...children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map(({ fullName }) => `  ${relativeModuleId} > ${fullName}`),
    );
    if (names.length > 0) console.warn(`Passed only at the second attempt: ${names.length}\n${names.join('\n')}`);
  }
}
