import { dictionary } from '@zxcvbn-ts/language-common';

/** In code points of the password in NFC. */
export const shortestPassword = 8;
export const longestPassword = 256;

/** NFC composes at most four characters of two UTF-16 units into one; sorting the marks of a longer text takes quadratic time. */
export function canBePassword(password: string): boolean {
  return password.length <= 8 * longestPassword;
}

/**
 * Why a password is refused, or null. There are no composition rules: a strong password is long and not common
 * (NIST SP 800-63B, section 3.1.1.2).
 * @param email the account's address, if known
 */
export function passwordFault(password: string, email?: string): string | null {
  const tooLong = `Must have at most ${longestPassword} characters.`;
  if (!canBePassword(password)) return tooLong;
  const normalized = password.normalize('NFC');
  const { length } = [...normalized];
  if (length < shortestPassword) return `Must have at least ${shortestPassword} characters.`;
  if (length > longestPassword) return tooLong;
  if (isCommon(normalized)) return 'This password is too common.';
  return email !== undefined && namesAddress(normalized, email) ? ownAddress : null;
}

export const ownAddress = 'Must not be the e-mail address.';

/** Whether a password is the part of the address before the @, or contains the whole address. @param email at most 320 characters */
export function namesAddress(password: string, email: string): boolean {
  if (email.length > 8 * 320) return false;
  const given = password.normalize('NFC').toLowerCase();
  const address = email.normalize('NFC').toLowerCase();
  return given.includes(address) || given === address.slice(0, address.lastIndexOf('@'));
}

let common: ReadonlySet<string> | undefined;

function isCommon(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((each) => each.length >= shortestPassword));
  const lower = password.toLowerCase();
  return common.has(lower) || new Set(password).size === 1 || isRun(lower) || isRepeated(lower);
}

const digits = '0123456789';
const ascending = [digits.repeat(2), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'];
const runs = [...ascending, ...ascending.map((each) => [...each].reverse().join(''))];

/** `23456789`, `0987654321`, `abcdefgh`, `asdfghjkl`. */
function isRun(password: string): boolean {
  return runs.some((run) => run.includes(password));
}

/** `12341234`, `abcabcabc`; a longer one is hard to guess. */
function isRepeated(password: string): boolean {
  return password.length <= 16 && /^(\d{1,4}|[a-z]{1,4})\1+$/.test(password);
}
