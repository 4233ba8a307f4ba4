import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../src/webhooks.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of so many bytes..').toString('base64')}`;
const body = JSON.stringify({ type: 'event.created', data: { id: '1', name: 'Käse' } });

function signed(by: string, at = new Date()) {
  const signature = new Webhook(by).sign('msg_1', at, body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return new Headers({ 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature });
}

it('gives what a message says whose signature is right, also while secrets rotate', async () => {
  expect(await verifyWebhook(body, signed(secret), secret)).toMatchObject({ type: 'event.created' });
  expect(await verifyWebhook(Buffer.from(body), signed(secret), [other, secret])).toMatchObject({ data: { id: '1' } });
  const both = signed(secret);
  both.set('webhook-signature', `${signed(other).get('webhook-signature')} v2,x ${both.get('webhook-signature')}`);
  expect(await verifyWebhook(body, both, secret)).toMatchObject({ data: { name: 'Käse' } });
});

it('takes the headers as Node.js gives them', async () => {
  const headers = { ...Object.fromEntries(signed(secret)), accept: ['a', 'b'], nothing: undefined };
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'event.created' });
  await expect(verifyWebhook(body, {}, secret)).rejects.toThrow('A header is missing.');
});

it.each([undefined, '', 'abc', [], [secret, '']])('says that %j is no secret', async (given) => {
  await expect(verifyWebhook(body, signed(secret), given as string)).rejects.toThrow('must begin with `whsec_`');
});

it.each([
  ['another body', `${body} `, () => signed(secret)],
  ['another secret', body, () => signed(other)],
  ['an old message', body, () => signed(secret, new Date(Date.now() - 301_000))],
  ['one of the future', body, () => signed(secret, new Date(Date.now() + 301_000))],
  ['no headers', body, () => new Headers()],
  [
    'a signature that is no base64',
    body,
    () =>
      new Headers(
        [...signed(secret)].map(([name, value]) => [name, name === 'webhook-signature' ? 'v1,!' : value]) as [
          string,
          string,
        ][],
      ),
  ],
])('refuses %s', async (_name, text, headers) => {
  await expect(verifyWebhook(text, headers(), secret)).rejects.toThrow(WebhookVerificationError);
});
