import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/domain/webhook/delivery.ts';
import { makeSigningSecret, signingKey } from '../../src/domain/webhook/webhook-secrets.ts';

describe('the signature of a delivery', () => {
  const body = '{"type":"event.changed","data":{"name":"Käse"}}';

  it('is what a library of Standard Webhooks accepts', () => {
    const secret = makeSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const headers = signedHeaders('msg_1', body, [signingKey(secret)], new Date());
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() => new Webhook(makeSigningSecret()).verify(body, headers)).toThrow();
  });

  it('is made with every valid secret, so that a receiver may know any of them', () => {
    const secrets = [makeSigningSecret(), makeSigningSecret(), makeSigningSecret()];
    const headers = signedHeaders('msg_1', body, secrets.map(signingKey), new Date());
    expect(headers['webhook-signature']).toMatch(/^(v1,[A-Za-z0-9+/]{43}= ){2}v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('says when this try was made, in seconds', () => {
    const headers = signedHeaders(
      'msg_1',
      body,
      [signingKey(makeSigningSecret())],
      new Date('2026-01-31T10:00:00.999Z'),
    );
    expect(headers['webhook-timestamp']).toBe('1769853600');
  });
});
