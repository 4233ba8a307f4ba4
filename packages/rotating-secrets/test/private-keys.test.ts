import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parsePrivateKeys } from '../src/index.ts';

const key = generateKeyPairSync('ed25519');
const keys = [key, generateKeyPairSync('ed25519')];
const pems = keys.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const jwks = keys.map(({ privateKey }) => privateKey.export({ format: 'jwk' }));

describe('parsePrivateKeys', () => {
  test.each([
    ['PEM blocks', pems.join('')],
    ['PEM blocks with escaped line breaks', pems.join('').replaceAll('\n', '\\n')],
    ['a JWK set', JSON.stringify({ keys: jwks })],
  ])('reads %s in their order', (_, text) => {
    const signatures = parsePrivateKeys(text).map((key) => sign(null, Buffer.from('x'), key));
    expect(
      signatures.map((signature, index) => verify(null, Buffer.from('x'), keys.at(index)?.publicKey ?? '', signature)),
    ).toEqual([true, true]);
  });

  test('reads one JWK', () => {
    expect(parsePrivateKeys(JSON.stringify(jwks[0]))).toHaveLength(1);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  test.each([
    ['nothing of the kind', 'abc', /must be one or several/],
    ['text beside the blocks', `${pems[0]}abc`, /must be one or several/],
    [
      'a public key',
      key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      /the key is a PEM block "PUBLIC KEY"/,
    ],
    ['an RSA key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString(), /the key is of type rsa/],
    ['another form of RSA key', rsa.export({ type: 'pkcs1', format: 'pem' }).toString(), /RSA PRIVATE KEY/],
    [
      'a broken second key',
      `${pems[0]}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----`,
      /key 2 cannot be read/,
    ],
    ['a public JWK', JSON.stringify({ ...jwks[0], d: undefined }), /public key/],
    ['a JWK of another kind', JSON.stringify({ kty: 'EC', crv: 'P-256', d: 'x' }), /not an Ed25519 key/],
    ['an empty set', '{"keys":[]}', /without keys/],
    ['broken JSON', '{"keys":', /not valid JSON/],
  ])('refuses %s', (_, text, reason) => {
    expect(() => parsePrivateKeys(text)).toThrow(reason);
  });
});
