import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSealed, TextSealer } from '../src/index.ts';

const [older, newer, foreign] = [1, 2, 3].map(() => randomBytes(32).toString('base64url')) as [string, string, string];
const use = { purpose: 'test', binding: 'row 1' };
const sealerOf = (secrets: string[], service = 'mill') => new TextSealer(secrets, service);
const text = 'whsec_äöü€ and more';

describe('TextSealer', () => {
  test('opens what it sealed, which says nothing of the text and never looks the same', () => {
    const sealer = sealerOf([older]);
    const sealed = sealer.seal(text, use);
    expect(sealer.open(sealed, use)).toBe(text);
    expect(sealed).not.toContain('whsec');
    expect(Buffer.from(sealed.slice('sealed:'.length), 'base64url').toString()).not.toContain('whsec');
    expect(sealer.seal(text, use)).not.toBe(sealed);
    expect([isSealed(sealed), isSealed('{"secret":"sealed:"}'), isSealed('"sealed:"')]).toEqual([true, false, false]);
  });

  test('seals with the newest key and opens with all of them', () => {
    const sealed = sealerOf([older]).seal(text, use);
    const rotated = sealerOf([newer, older]);
    expect(rotated.open(sealed, use)).toBe(text);
    expect([rotated.isCurrent(sealed), rotated.isCurrent(rotated.seal(text, use))]).toEqual([false, true]);
    expect(sealerOf([newer]).open(rotated.seal(text, use), use)).toBe(text);
    expect(sealerOf([newer]).open(sealed, use)).toBeNull();
  });

  test('opens what earlier versions sealed', () => {
    const sealed = 'sealed:bmSXCf2jrZL6IXPnqMODlxDnBHF86UQ0DG0E78bn8nk6gEGB';
    expect(sealerOf(['secret']).open(sealed, use)).toBe('text');
  });

  test('needs a secret', () => {
    expect(() => sealerOf([])).toThrow('sealing needs a secret');
  });

  test.each([
    ['another purpose', { ...use, purpose: 'other' }],
    ['another row', { ...use, binding: 'row 2' }],
    ['a further secret that it was sealed without', { ...use, secret: 'more' }],
  ])('does not open for %s', (_, other) => {
    const sealer = sealerOf([older]);
    expect(sealer.open(sealer.seal(text, use), other)).toBeNull();
  });

  test('needs the further secret that a text was sealed with', () => {
    const sealer = sealerOf([older]);
    const sealed = sealer.seal(text, { ...use, secret: 'key-1' });
    expect(sealer.open(sealed, { ...use, secret: 'key-1' })).toBe(text);
    for (const secret of ['key-2', '']) expect(sealer.open(sealed, { ...use, secret })).toBeNull();
  });

  test('opens nothing that was changed, truncated, or sealed with an unknown key', () => {
    const sealer = sealerOf([older]);
    const bytes = Buffer.from(sealer.seal(text, use).slice('sealed:'.length), 'base64url');
    for (const at of [0, 4, 16, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealer.open(`sealed:${changed.toString('base64url')}`, use)).toBeNull();
    }
    for (const length of [0, 10, 31, bytes.length - 1]) {
      expect(sealer.open(`sealed:${bytes.subarray(0, length).toString('base64url')}`, use)).toBeNull();
    }
    expect(sealer.open(bytes.toString('base64url'), use)).toBeNull();
    expect(sealer.open(sealerOf([foreign]).seal(text, use), use)).toBeNull();
    expect(sealer.open(sealerOf([older], 'another service').seal(text, use), use)).toBeNull();
  });
});
