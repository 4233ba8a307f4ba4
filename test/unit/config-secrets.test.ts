import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parsePrivateKeys } from '#rotating-secrets';
import { completeSecrets } from '../../src/config/secrets.ts';

const key = generateKeyPairSync('ed25519');
const keys = [key, generateKeyPairSync('ed25519')];
const pems = keys.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const jwks = keys.map(({ privateKey }) => privateKey.export({ format: 'jwk' }));

const exportKey = (privateKey: KeyObject) => privateKey.export({ format: 'jwk' });

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

describe('completeSecrets', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-secrets-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  test('makes what is absent once, and keeps it for the owner alone', async () => {
    const first = await completeSecrets({}, path.join(dir, 'data'));
    const again = await completeSecrets({}, path.join(dir, 'data'));
    expect(again.cookieSecrets).toEqual(first.cookieSecrets);
    expect(again.cursorSecrets).toEqual(first.cursorSecrets);
    expect(again.privateKeys.map(exportKey)).toEqual(first.privateKeys.map(exportKey));
    expect(first.cookieSecrets).not.toEqual(first.cursorSecrets);
    expect((await stat(path.join(dir, 'data/secrets.json'))).mode & 0o777).toBe(0o600);
  });

  test('agrees on one file if several start at once, and leaves no other', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => completeSecrets({}, dir)));
    expect(new Set(all.map(({ cookieSecrets }) => cookieSecrets[0])).size).toBe(1);
    expect(await readdir(dir)).toEqual(['secrets.json']);
  });

  test('prefers what is given, and writes nothing if all of it is', async () => {
    const given = { cookieSecrets: ['a'], cursorSecrets: ['b'], encryptionKeys: ['c'], privateKeys: [key.privateKey] };
    expect(await completeSecrets(given, dir)).toEqual(given);
    expect(await readdir(dir)).toEqual([]);
    expect((await completeSecrets({ cookieSecrets: ['a'] }, dir)).cookieSecrets).toEqual(['a']);
  });

  test('refuses a file that is not its own, and leaves it as it is', async () => {
    await writeFile(path.join(dir, 'secrets.json'), '{}');
    await expect(completeSecrets({}, dir)).rejects.toThrow(/secrets\.json is not a valid secrets file/);
    expect(await readFile(path.join(dir, 'secrets.json'), 'utf8')).toBe('{}');
  });
});
