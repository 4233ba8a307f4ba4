import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebhookReader } from '../../src/jobs/webhook-reader.ts';
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

it('looks at all webhooks when it starts, and later only at those that have more to read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: unknown[] = [];
  const unit = {
    run: async () => undefined,
    rows: async ({ parameters }: { parameters: unknown[] }) => {
      asked.push(parameters.find((each) => typeof each === 'boolean'));
      return [];
    },
  };
  const db = { transaction: (work: (given: typeof unit) => unknown) => work(unit) };
  const options = { db, changes: { watchAll: () => () => undefined } };
  const started = new WebhookReader(options as never);
  started.start();
  await expect.poll(() => asked).toEqual([true]);
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => asked).toEqual([true, false]);
  await started.stop();
});
