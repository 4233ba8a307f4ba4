import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nightly, nightlyOwn } from './test/circles.ts';
import { SecondAttempts } from './test/support/second-attempts.ts';

// for the workers and for what they start
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * The tests of a circle.
 *
 * @param include of the files that a process can run after one another
 * @param own those that need a process of their own: they measure or fill what a process has one of (its memory, the statements that
 * connections keep), or change definitions
 */
export const circle = (include: string[], exclude: string[], own: string[]) =>
  defineConfig({
    test: {
      // Node.js loads the source as it does in production; Vite would transform each file for each worker
      experimental: { viteModuleRunner: false, nodeLoader: false },
      globalSetup: ['test/support/global-setup.ts'],
      setupFiles: ['test/support/each-file.ts'],
      runner: 'test/support/runner.ts',
      pool: 'forks',
      // one more than there are cores, since files also wait for the database and for processes of their own
      maxWorkers: Math.max(3, Math.min(5, availableParallelism() + 1)),
      // for a machine that is busy; what waits for a time says so itself
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // Thousands of tests against real servers, proxies and browsers on a small machine: CI repeats a failed test once, and names
      // those that passed only then.
      retry: process.env.CI ? 1 : 0,
      reporters: ['default', new SecondAttempts()],
      expect: { poll: { timeout: 30_000 } },
      env: { NODE_ENV: 'test' },
      projects: [
        // a process runs many files: to load the service takes longer than most of them
        {
          extends: true,
          test: { name: 'service', isolate: false, include, exclude: [...exclude, ...own] },
        },
        { extends: true, test: { name: 'own-process', include: own } },
      ],
    },
  });

const all = ['{test,packages/*/test}/**/*.test.ts'];
const own = ['test/parity/deprecations.test.ts'];
// a file or folder that is named runs in any circle
const isNamed = process.argv.slice(2).some((each) => /^(test|packages)\//.test(each));

export default isNamed ? circle(all, [], [...own, ...nightlyOwn]) : circle(all, [...nightly, ...nightlyOwn], own);
