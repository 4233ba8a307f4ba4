import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AllowedTargets, targetFault } from '#endpoint-client';
import { checkUrl } from '../../src/domain/webhook/create-webhook.ts';
import { type Contender, shareOut } from '../../src/domain/webhook/share-out.ts';
import { WebhookReader } from '../../src/jobs/webhook-reader.ts';
import { childEnv } from '../support/programs.ts';

const healthy = { maker_id: null, healthy: true, answering: true, answered: true, sending: 0, wants: true };
const webhook = (id: string, organization_id: string, fields: Partial<Contender> = {}): Contender => ({
  ...{ ...healthy, id, organization_id },
  ...fields,
});
const share = (contenders: Contender[], all = 64, failing = 48) =>
  Object.fromEntries(shareOut(contenders, { all, unhealthy: failing }));

describe('free places', () => {
  it('go to whoever has the fewest: by organization, then by webhook', () => {
    const contenders = [
      webhook('a', 'one'),
      webhook('b', 'one'),
      webhook('c', 'two'),
      webhook('d', 'three', { sending: 2, wants: false }),
      webhook('e', 'three'),
    ];
    expect(share(contenders, 5)).toEqual({ a: 1, b: 1, c: 2, e: 1 });
    expect(share(contenders, 1)).toEqual({ a: 1 });
  });

  it('are at most 48 for all organizations of one maker', () => {
    const many = ['one', 'two', 'three', 'four', 'five'].flatMap((organization) =>
      ['a', 'b', 'c'].map((id) => webhook(`${organization} ${id}`, organization, { maker_id: 'maker' })),
    );
    const given = share([...many, webhook('other', 'another', { maker_id: 'another' })]);
    expect(Object.entries(given).reduce((sum, [id, places]) => sum + (id === 'other' ? 0 : places), 0)).toBe(48);
    expect(given.other).toBe(8);
  });

  it('are one for a webhook without an answer, and 12 of an organization for those that never had one', () => {
    const silent = { healthy: false, answering: false, answered: false };
    expect(share([webhook('a', 'one', silent)])).toEqual({ a: 1 });
    const fresh = { healthy: false, answered: false };
    expect(share(['a', 'b'].map((id) => webhook(id, 'one', fresh)))).toEqual({ a: 6, b: 6 });
    const busy = { ...fresh, sending: 6 };
    expect(share([webhook('a', 'one', busy), webhook('b', 'one', busy), webhook('c', 'one')])).toEqual({ c: 4 });
  });

  it('leave some of a process to webhooks whose last try was delivered', () => {
    const failing = Array.from({ length: 20 }, (_, i) => webhook(`f${i}`, `o${i}`, { healthy: false }));
    const given = share([...failing, webhook('h', 'other')], 64, 48);
    expect(given.h).toBe(8);
    expect(Object.values(given).reduce((sum, places) => sum + places, 0)).toBe(56);
  });

  it('never exceed any limit, and none is left over that somebody could have', () => {
    const contender = fc.record({
      ...{ healthy: fc.boolean(), answering: fc.boolean(), isNew: fc.boolean(), wants: fc.boolean() },
      ...{ organization: fc.integer({ min: 0, max: 2 }), sending: fc.integer({ min: 0, max: 1 }) },
    });
    fc.assert(
      fc.property(fc.array(contender, { maxLength: 12 }), fc.nat(70), fc.nat(50), (drawn, all, failing) => {
        const contenders = drawn.map(({ organization, isNew, ...each }, index) =>
          webhook(String(index), String(organization), { ...each, answered: each.answering && !isNew }),
        );
        const given = share(contenders, all, failing);
        const of = ({ id }: Contender) => given[id] ?? 0;
        const sum = (list: Contender[], value: (each: Contender) => number) =>
          list.reduce((total, each) => total + value(each), 0);
        const total = (each: Contender) => each.sending + of(each);
        const unhealthy = contenders.filter((each) => !each.healthy);
        expect(sum(contenders, of)).toBeLessThanOrEqual(all);
        expect(sum(unhealthy, of)).toBeLessThanOrEqual(failing);
        for (const each of contenders) {
          const siblings = contenders.filter(({ organization_id: id }) => id === each.organization_id);
          const silent = siblings.filter(({ answered }) => !answered);
          if (!each.wants) expect(of(each)).toBe(0);
          expect(total(each)).toBeLessThanOrEqual(each.answering ? 8 : 1);
          expect(sum(siblings, total)).toBeLessThanOrEqual(16);
          expect(sum(silent, total)).toBeLessThanOrEqual(12);
          const couldHaveMore =
            each.wants &&
            total(each) < (each.answering ? 8 : 1) &&
            sum(siblings, total) < 16 &&
            (each.answered || sum(silent, total) < 12) &&
            (each.healthy || sum(unhealthy, of) < failing);
          if (couldHaveMore) expect(sum(contenders, of)).toBe(all);
        }
      }),
    );
  });
});

it('a refusal of a URL names WEBHOOK_ALLOW, in development alone', async () => {
  const url = 'http://localhost:3001/hook';
  const allowedTargets = new AllowedTargets();
  const detailOf = async (namesVariables: boolean) => {
    const ctx = { services: { allowedTargets, settings: { namesVariables } } } as Parameters<typeof checkUrl>[0];
    return (await checkUrl(ctx, { url }))[0]?.detail;
  };
  expect(await detailOf(true)).toContain(' To allow it here, start the service with WEBHOOK_ALLOW=localhost:3001.');
  expect(await detailOf(false)).toBe(targetFault(url, allowedTargets));
});

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
  const rows = async ({ parameters }: { parameters: unknown[] }) => {
    asked.push(parameters.includes(null));
    return [];
  };
  const options = { db: { rows }, changes: { watchAll: () => () => undefined } };
  const started = new WebhookReader(options as never);
  started.start();
  await expect.poll(() => asked).toEqual([true]);
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => asked).toEqual([true, false]);
  await started.stop();
});
