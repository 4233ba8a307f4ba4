import type { ZodType } from 'zod';
import { questionList } from '../../domain/form/question.ts';
import { emailAddress } from '../../kernel/input/email-address.ts';
import { checkInput } from '../../kernel/input/parse-input.ts';
import { zoneName } from '../../kernel/input/time-zone.ts';
import { isRecord } from '../../kernel/is-record.ts';
import { parseTimestamp, parseUuid } from '../../kernel/scalars.ts';

/** Converts a value of the document to the value to be stored. Throws an Error whose message is the fault. */
export type Reader = (value: unknown) => unknown;

export function idValue(value: unknown): string {
  return parseUuid(value) ?? refuse('must be a UUID');
}

export function timestampValue(value: unknown): string {
  return parseTimestamp(value) ?? refuse('must be an ISO 8601 timestamp with time and zone, like 2026-01-31T18:00:00Z');
}

export function textValue(low: number, high: number): (value: unknown) => string {
  return (value) => {
    if (typeof value !== 'string') return refuse('must be a string');
    const length = [...value].length;
    if (length < low && low === 1) return refuse('must not be empty');
    if (length < low || length > high) return refuse(`must have ${low} to ${high} characters`);
    return value;
  };
}

/** A string that is not blank. */
export function name(value: unknown): string {
  const given = textValue(1, 200)(value);
  return given.trim() === '' ? refuse('must not be blank') : given;
}

export function integer(low: number, high: number): (value: unknown) => number {
  return (value) => {
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
    return valid ? value : refuse(`must be an integer from ${low} to ${high}`);
  };
}

export function boolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse('must be true or false');
}

export function oneOf(members: readonly string[]): (value: unknown) => string {
  return (value) => members.find((member) => member === value) ?? refuse(`must be one of ${members.join(', ')}`);
}

export function nullable(read: Reader): Reader {
  return (value) => (value === null ? null : read(value));
}

export function object(value: unknown): object {
  return isRecord(value) ? value : refuse('must be an object or null');
}

/** The questions of a form. */
export function questions(value: unknown): unknown {
  const checked = checkInput(questionList, value);
  if ('value' in checked) return checked.value;
  const faults = checked.issues.map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
  return refuse(`must be a list of questions: ${faults.join(' ')}`);
}

/** An address that an account can sign in with. */
export function email(value: unknown): string {
  if (typeof value !== 'string') return refuse('must be a string');
  const { data } = emailAddress.safeParse(value);
  return data ?? refuse('must be an e-mail address');
}

/** A value that a field of a write takes, too. */
export function valid(schema: ZodType): Reader {
  return (value) => {
    const checked = checkInput(schema, value);
    if ('value' in checked) return checked.value;
    const [first] = checked.issues;
    return refuse(`${first?.detail.charAt(0).toLowerCase()}${first?.detail.slice(1).replace(/\.$/, '')}`);
  };
}

/** A slug is used in links unchanged, so it contains nothing that needs escaping or could be read as a path. */
export function slug(value: unknown): string {
  const given = textValue(1, 200)(value);
  const plain = /^[\p{L}\p{M}\p{N}._~-]+$/u.test(given) && !/^\.+$/.test(given);
  return plain ? given : refuse('may contain only letters, digits and - _ . ~');
}

export function webAddressValue(value: unknown): string {
  const given = textValue(1, 2048)(value);
  return /^https?:$/.test(URL.parse(given)?.protocol ?? '') ? given : refuse('must be an http or https URL');
}

export function timezone(value: unknown): string {
  if (typeof value !== 'string') return refuse('must be a string');
  return zoneName(value) ?? refuse('must be an IANA time zone, like Europe/Berlin');
}

function refuse(fault: string): never {
  throw new Error(fault);
}
