import { expect, it } from 'vitest';
import { AllowedTargets, targetFault } from '#endpoint-client';
import { checkUrl } from '../../src/domain/webhook/create-webhook.ts';

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
