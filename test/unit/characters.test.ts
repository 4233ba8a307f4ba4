import { expect, it } from 'vitest';
import { canNormalizeTo, countCharacters, emailAddress, hasAtMost } from '#input-values';
import { newPassword } from '../../src/domain/account/password-policy.ts';
import { checkInput } from '../../src/kernel/input/parse-input.ts';

it('counts characters, and not those of a text that has more for certain', () => {
  expect(countCharacters('äb🎉', 3)).toBe(3);
  expect(countCharacters('🎉'.repeat(10), 10)).toBe(10);
  expect(countCharacters('a'.repeat(20), 10)).toBe(20);
  expect(countCharacters('a'.repeat(21), 10)).toBe(Number.POSITIVE_INFINITY);
  expect([hasAtMost('🎉'.repeat(10), 10), hasAtMost('🎉'.repeat(11), 10)]).toEqual([true, false]);
});

it('lets every text be normalized that could become short enough', () => {
  // the longest decompositions that NFC composes again
  for (const character of ['\u1FA2', '\uD55C', '\u{110AB}', '\u0390']) {
    expect(canNormalizeTo(character.normalize('NFD').repeat(256), 256)).toBe(true);
  }
});

/** Milliseconds of processor time. */
function timeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it('refuses marks that would be sorted for seconds, without sorting them', () => {
  const marks = `${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}`;
  for (const schema of [emailAddress, newPassword]) {
    expect(timeOf(() => expect(checkInput(schema, marks)).toHaveProperty('issues'))).toBeLessThan(500);
  }
});
