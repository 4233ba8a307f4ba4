import { describe, expect, it } from 'vitest';
import { passwordFault } from '../src/index.ts';

const tooCommon = 'This password is too common.';

describe('a new password', () => {
  it.each([
    ...['Password1', 'qwerty123', '12345678', '123456789', '1234567890', '11111111', 'zzzzzzzzz'],
    ...['123123123', '12341234', '12121212', '19901990', '20202020', 'abcabcabc', 'QwerQwer', 'secrsecr'],
    ...['0123456789', '01234567', '23456789', '87654321', '987654321', '9876543210', '0987654321'],
    ...['abcdefgh', 'ABCDEFGHIJ', 'hgfedcba', 'asdfghjkl;', 'zxcvbnm,', 'poiuytre'],
  ])('is not %s', (password) => {
    expect(passwordFault(password)).toBe(tooCommon);
  });

  it.each([
    ...['correct horse', '12341235', 'abcdefgx', 'aB3$aB3$', '12ab12ab', 'abcdefgj', 'qwer-qwer', 'ab'.repeat(9)],
    ...['été à la mer', '0123 4567', 'x'.repeat(255).concat('y')],
  ])('may be %s', (password) => {
    expect(passwordFault(password)).toBeNull();
  });
});
