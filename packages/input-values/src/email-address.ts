import { domainToASCII } from 'node:url';
import { canNormalizeTo, text } from './text.ts';

const letter = String.raw`(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}]`;
const label = `(?:${letter})(?:(?:${letter}|-){0,61}(?:${letter}))?`;
const user = `(?:${letter}|[.!#$%&'*+\\/=?^_\`{|}~\\-]){1,64}`;

/** The form of HTML's `input type=email`, with letters of every script. */
export const addressForm = new RegExp(`^${user}@${label}(?:\\.${label})*$`, 'u');

/** In UTF-16 units. */
export const longestAddress = 320;
const tooLong = `Must have at most ${longestAddress} characters.`;

/**
 * An e-mail address in NFC. It contains no character with a special meaning in mail programs (quotes, comments, groups, angle
 * brackets), so that a mail goes only to the address that was checked and counted.
 */
export const emailAddress = text
  .refine((value) => canNormalizeTo(value, longestAddress), { error: tooLong, abort: true })
  .normalize('NFC')
  .max(longestAddress, tooLong)
  .refine(isEmailAddress, 'Must be an e-mail address.')
  .meta({ format: 'email' });

/** Of a domain name in ASCII (RFC 1035); it also keeps a mailbox within its column. */
const longestDomain = 253;

/** A domain that URL parsers read as an IPv4 address, possibly completing it: `0.0` becomes `0.0.0.0`. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i;

/** @param address in NFC */
export function isEmailAddress(address: string): boolean {
  if (!addressForm.test(address)) return false;
  const domain = domainOf(address);
  if (endsInNumber.test(domain)) return false;
  if (isAscii(domain)) return true;
  // a domain with compatibility characters can resolve to another name than it shows
  if (domain.normalize('NFKC') !== domain) return false;
  const ascii = domainToASCII(domain);
  return ascii.length <= longestDomain && addressForm.test(`a@${ascii}`);
}

/** NFC, lower case, the domain in ASCII: it alone identifies a person. */
export function mailboxOf(address: string): string {
  const domain = domainOf(address);
  const user = address.slice(0, address.length - domain.length);
  return `${user}${asciiDomain(domain)}`.normalize('NFC').toLowerCase();
}

/** For limits, `user+tag@` counts as `user@`, since one person reads both. */
export function countedMailbox(address: string): string {
  return mailboxOf(address).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Unchanged if it has no such form, since earlier versions accepted such addresses. */
function asciiDomain(domain: string): string {
  return isAscii(domain) ? domain : domainToASCII(domain) || domain;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
