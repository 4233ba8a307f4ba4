import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { completeSecrets } from '../../src/config/secrets.ts';
import { newSecret, rotate } from '../../src/config/secrets-file.ts';
import { childEnv } from '../support/programs.ts';
import { sharedFolder } from '../support/shared.ts';

const folder = await sharedFolder();
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(folder, 'secrets-'));
});

const start = new Date('2026-03-01T12:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const day = 24 * 60;
const values = (secrets: { value: string }[]) => secrets.map(({ value }) => value);

test.each([
  ['cookie_secrets', 32 * day],
  ['cursor_secrets', 365 * day],
  ['encryption_keys', 365 * day],
  ['jwt_private_keys', day],
] as const)('rotate removes from %s what was replaced %i minutes ago, and not before', (kind, minutes) => {
  const { secrets: two } = rotate(kind, [newSecret(kind, start)], start, true);
  expect(rotate(kind, two, later(minutes - 1)).steps).toEqual(['added']);
  const { secrets, steps } = rotate(kind, two, later(minutes));
  expect(steps).toEqual(['retired', 'added']);
  expect(values(secrets)).toEqual([two[0]?.value, expect.any(String)]);
});

const exportKey = (privateKey: KeyObject) => privateKey.export({ format: 'jwk' });

describe('completeSecrets', () => {
  test('prefers what is given, and writes nothing if all of it is', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const given = { cookieSecrets: ['a'], cursorSecrets: ['b'], encryptionKeys: ['c'], privateKeys: [privateKey] };
    expect(await completeSecrets(given, dir)).toEqual(given);
    expect(await readdir(dir)).toEqual([]);
    expect((await completeSecrets({ cookieSecrets: ['a'] }, dir)).cookieSecrets).toEqual(['a']);
  });
});

describe('npm run keys', () => {
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const options = { env: { ...childEnv, DATA_DIR: dir, ...env } };
    return await promisify(execFile)(process.execPath, ['src/commands/keys.ts', ...args], options).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
    );
  };

  test('rotates what is named, and prints nothing of a secret', async () => {
    const before = await completeSecrets({}, dir);
    const { output } = await run(['rotate', '--now', 'cookie']);
    const after = await completeSecrets({}, dir);
    expect(after.cookieSecrets).toEqual([expect.any(String), before.cookieSecrets[0]]);
    expect(after.cursorSecrets).toEqual(before.cursorSecrets);
    expect(after.cursorSecrets).not.toEqual(before.cookieSecrets);
    expect(after.privateKeys.map(exportKey)).toEqual(before.privateKeys.map(exportKey));
    const printed = output + (await run(['list'])).output;
    for (const secret of after.cookieSecrets) expect(printed).not.toContain(secret);
    expect(printed).toMatch(/cookie_secrets +[0-9a-f]{12} +signs/);
  });

  test('leaves alone what the environment gives, and prints a new value for it', async () => {
    const { output } = await run(['rotate', 'cookie'], { COOKIE_SECRET: 'whatever is there' });
    expect(output).toMatch(/COOKIE_SECRET is set in the environment[\s\S]*\n[\w-]{43}\n/);
    await expect(readFile(path.join(dir, 'secrets.json'))).rejects.toThrow('ENOENT');
  });

  test('prints new values that the settings accept', async () => {
    const { output } = await run(['new']);
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(names.join(' ')).toBe('COOKIE_SECRET CURSOR_SECRET ENCRYPTION_KEY JWT_PRIVATE_KEY ');
  });

  test('explains an invalid file', async () => {
    for (const args of [[], ['turn'], ['rotate', 'cake'], ['list', '--now']]) {
      expect(await run(args)).toMatchObject({ code: 1, output: expect.stringContaining('COMMAND') });
    }
  });
});
