import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { completeSecrets } from '../../src/config/secrets.ts';

const exportKey = (privateKey: KeyObject) => privateKey.export({ format: 'jwk' });

describe('completeSecrets', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-secrets-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  test('makes what is absent once', async () => {
    const first = await completeSecrets({}, path.join(dir, 'data'));
    const again = await completeSecrets({}, path.join(dir, 'data'));
    expect(again.cookieSecrets).toEqual(first.cookieSecrets);
    expect(again.cursorSecrets).toEqual(first.cursorSecrets);
    expect(again.privateKeys.map(exportKey)).toEqual(first.privateKeys.map(exportKey));
    expect(first.cookieSecrets).not.toEqual(first.cursorSecrets);
  });

  test('prefers what is given, and writes nothing if all of it is', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const given = { cookieSecrets: ['a'], cursorSecrets: ['b'], encryptionKeys: ['c'], privateKeys: [privateKey] };
    expect(await completeSecrets(given, dir)).toEqual(given);
    expect(await readdir(dir)).toEqual([]);
    expect((await completeSecrets({ cookieSecrets: ['a'] }, dir)).cookieSecrets).toEqual(['a']);
  });
});
