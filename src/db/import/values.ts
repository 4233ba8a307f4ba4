import { emailAddress } from '../../domain/input/text.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import { parseUuid } from '../../domain/uuid.ts';

/** Reads one value of the document as it will be stored. Throws an Error whose message is the fault. */
export type Reader = (value: unknown) => unknown;

export function id(value: unknown): string {
  return parseUuid(value) ?? refuse('must be a UUID');
}

export function timestamp(value: unknown): string {
  return parseTimestamp(value) ?? refuse('must be an ISO 8601 timestamp with time and zone, like 2026-01-31T18:00:00Z');
}

export function text(low: number, high: number): (value: unknown) => string {
  return (value) => {
    if (typeof value !== 'string') return refuse('must be a string');
    const length = [...value].length;
    if (length < low && low === 1) return refuse('must not be empty');
    if (length < low || length > high) return refuse(`must have ${low} to ${high} characters`);
    return value;
  };
}

/** A string that shows something: white space alone is no name. */
export function name(value: unknown): string {
  const given = text(1, 200)(value);
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
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? value : refuse('must be an object or null');
}

/** What an account can sign in with. */
export function email(value: unknown): string {
  if (typeof value !== 'string') return refuse('must be a string');
  return emailAddress.safeParse(value).success ? value : refuse('must be an e-mail address');
}

/** A slug goes into links as it is, so it holds nothing that a link would have to escape or could be read as a path. */
export function slug(value: unknown): string {
  const given = text(1, 200)(value);
  const plain = /^[\p{L}\p{M}\p{N}._~-]+$/u.test(given) && !/^\.+$/.test(given);
  return plain ? given : refuse('may only have letters, digits and the signs - _ . ~');
}

export function webAddress(value: unknown): string {
  const given = text(1, 2048)(value);
  return /^https?:$/.test(URL.parse(given)?.protocol ?? '') ? given : refuse('must be an http or https URL');
}

const zones = new Map<string, boolean>();

export function timezone(value: unknown): string {
  if (typeof value !== 'string') return refuse('must be a string');
  let known = zones.get(value);
  if (known === undefined) {
    known = value.length <= 64 && /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(value) && isZone(value);
    zones.set(value, known);
  }
  return known ? value : refuse('must be an IANA time zone, like Europe/Berlin');
}

function isZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

function refuse(fault: string): never {
  throw new Error(fault);
}
