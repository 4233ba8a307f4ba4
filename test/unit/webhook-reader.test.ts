import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { childEnv } from '../support/child-env.ts';

const reader = import.meta.resolve('../../src/jobs/webhook-reader.ts');

it('stops while it waits for a database that is gone, and nothing else keeps the process running', async () => {
  const script = `
    const { WebhookReader } = await import(${JSON.stringify(reader)});
    const failed = Promise.withResolvers();
    const reader = new WebhookReader({
      db: { rows: async () => { throw new Error('gone'); } },
      changes: { watchAll: () => () => undefined },
      log: { warn: () => failed.resolve() },
    });
    reader.start();
    await failed.promise;
    await reader.stop();
    process.stdout.write('stopped');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: childEnv,
  });
  expect(stdout).toBe('stopped');
});
