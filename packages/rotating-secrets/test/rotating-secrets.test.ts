import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeRotation, describeSecrets, rotatingSecrets } from '../src/index.ts';

const isValid = (value: string) => value.length > 3;
const { makeSecretsFile, newSecret, openSecretsFile, rotate, writeSecretsFile } = rotatingSecrets(
  { cookies: { kept: 5_000, isValid }, tokens: { kept: 1_000, make: () => 'token', isValid } },
  2_000,
);
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rotating-secrets-'));
  file = path.join(folder, 'data', 'secrets.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a file of secrets', () => {
  it('is made once by processes that start together, and only its owner reads it', async () => {
    expect(await openSecretsFile(file)).toBeNull();
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => makeSecretsFile(file)));
    for (const other of [...others, await makeSecretsFile(file)]) expect(other).toEqual(first);
    expect(first?.tokens).toEqual([{ value: 'token', added_at: expect.any(String), replaced_at: null }]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(path.dirname(file))).toEqual(['secrets.json']);
  });

  it('is replaced as a whole', async () => {
    const made = await makeSecretsFile(file);
    const changed = { ...made, tokens: [newSecret('tokens', new Date(0))] };
    await writeSecretsFile(file, changed);
    expect(await openSecretsFile(file)).toEqual(changed);
    expect(await readdir(path.dirname(file))).toEqual(['secrets.json']);
  });

  it.each(['{', '{}', '{"cookies":[],"tokens":[]}'])('is refused as %s, without its content', async (text) => {
    await makeSecretsFile(file);
    await writeFile(file, text);
    await expect(openSecretsFile(file)).rejects.toThrow(`${file} is not a valid secrets file.`);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('is refused with a secret that is not valid', async () => {
    const made = await makeSecretsFile(file);
    await writeFile(file, (await readFile(file, 'utf8')).replace(made.cookies[0]?.value as string, 'abc'));
    await expect(openSecretsFile(file)).rejects.toThrow(/^(?!.*abc)/);
  });
});

describe('a rotation', () => {
  const at = (second: number) => new Date(second * 1_000);

  const one = [newSecret('cookies', at(0))];
  const values = (secrets: { value: string }[]) => secrets.map(({ value }) => value);

  it('first adds one that does not sign', () => {
    const { secrets, steps } = rotate('cookies', one, at(1));
    expect(steps).toEqual(['added']);
    expect(values(secrets)).toEqual([one[0]?.value, expect.any(String)]);
  });

  it('lets the added one sign after the lead, and not before', () => {
    const { secrets: two } = rotate('cookies', one, at(1));
    const early = rotate('cookies', two, at(2));
    expect(early).toMatchObject({ steps: ['waits'], usableAt: at(3), secrets: two });
    const { secrets, steps } = rotate('cookies', two, at(3));
    expect(steps).toEqual(['used']);
    expect(values(secrets)).toEqual(values(two).reverse());
    expect(secrets[1]).toMatchObject({ replaced_at: at(3).toISOString() });
  });

  it('does both at once in a hurry', () => {
    const { secrets, steps } = rotate('cookies', one, at(1), true);
    expect(steps).toEqual(['added', 'used']);
    expect(values(secrets)).toEqual([expect.any(String), one[0]?.value]);
  });

  it('is described, without a secret', () => {
    const one = [newSecret('tokens', at(0))];
    const added = rotate('tokens', one, at(1));
    expect(describeRotation(added, 'two seconds')).toBe(
      'added a secret that verifies. Run this again in two seconds or more.',
    );
    const waiting = rotate('tokens', added.secrets, at(2));
    expect(describeRotation(waiting, '')).toContain(`can sign from ${at(3).toISOString()} on`);
    const used = rotate('tokens', added.secrets, at(3));
    expect(describeRotation(used, '')).toBe('the new secret signs.');
    expect(describeSecrets('tokens', added.secrets)).toEqual([
      `tokens  3c469e9d6c58  signs     added ${at(0).toISOString()}`,
      `tokens  3c469e9d6c58  waits     added ${at(1).toISOString()}`,
    ]);
    expect(rotate('tokens', used.secrets, at(4)).steps).toEqual(['retired', 'added']);
  });
});
