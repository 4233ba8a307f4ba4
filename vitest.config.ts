import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // those of Node.js itself, not of a bundler: otherwise `graphql` is loaded twice, and refuses its other half
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // a process a file: tests change the environment, listen on ports and end servers
    pool: 'forks',
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test' },
    projects: [
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          // the tests of GraphQL once more, each query by every way to run it: their answers must be the same bytes
          name: 'lanes',
          include: ['test/graphql/**/*.test.ts', 'test/parity/**/*.test.ts'],
          // sends each of its many queries several times on its own
          exclude: ['test/graphql/lanes-property.test.ts'],
          env: { GRAPHQL_LANES: 'compare' },
        },
      },
    ],
  },
});
