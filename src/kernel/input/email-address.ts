import { domainToASCII } from 'node:url';
import { canNormalizeTo, text } from './text.ts';

const letter = String.raw`(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}]`;
const label = `(?:${letter})(?:(?:${letter}|-){0,61}(?:${letter}))?`;
const user = `(?:${letter}|[.!#$%&'*+\\/=?^_\`{|}~\\-]){1,64}`;

/** The form of HTML's `input type=email`, with letters of every script (reference/accounts.md#addresses). */
export const addressForm = new RegExp(`^${user}@${label}(?:\\.${label})*$`, 'u');

/** The maximum length of an address, in UTF-16 units. */
export const longestAddress = 320;
const tooLong = `Must have at most ${longestAddress} characters.`;

/**
 * An e-mail address in Unicode's form NFC, for every operation that takes one. It contains no character with a special
 * meaning in mail programs (quotes, comments, groups, angle brackets), so that a mail goes only to the address that was
 * checked and counted. Whether the mailbox exists is verified by sending a mail to it.
 */
export const emailAddress = text
  .refine((value) => canNormalizeTo(value, longestAddress), { error: tooLong, abort: true })
  .normalize('NFC')
  .max(longestAddress, tooLong)
  .refine(isEmailAddress, 'Must be an e-mail address.')
  .meta({ format: 'email' });

/** The maximum length of a domain name in ASCII (RFC 1035); it also keeps a mailbox within its column. */
const longestDomain = 253;

/** A domain that URL parsers read as an IPv4 address, possibly completing it: `0.0` becomes `0.0.0.0`. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i;

/** Whether a text in form NFC is a valid address; earlier versions of the service accepted more. */
export function isEmailAddress(address: string): boolean {
  if (!addressForm.test(address)) return false;
  const domain = domainOf(address);
  if (endsInNumber.test(domain)) return false;
  if (isAscii(domain)) return true;
  // a domain with compatibility characters could resolve to another name than it shows
  if (domain.normalize('NFKC') !== domain) return false;
  const ascii = domainToASCII(domain);
  return ascii.length <= longestDomain && addressForm.test(`a@${ascii}`);
}

/**
 * The normalized form of an address: NFC, lower case, the domain in ASCII. Two addresses with the same mailbox are the same
 * address (note 0043). It is stored next to every address, and it alone identifies a person.
 */
export function mailboxOf(address: string): string {
  const domain = domainOf(address);
  const user = address.slice(0, address.length - domain.length);
  return `${user}${asciiDomain(domain)}`.normalize('NFC').toLowerCase();
}

/**
 * The mailbox that mails to an address are counted under: `user+tag@` counts as `user@`, since one person reads both. For
 * limits only: otherwise they are two addresses.
 */
export function countedMailbox(address: string): string {
  return mailboxOf(address).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The domain in ASCII; unchanged if it has no such form, since earlier versions of the service accepted such addresses. */
function asciiDomain(domain: string): string {
  return isAscii(domain) ? domain : domainToASCII(domain) || domain;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
