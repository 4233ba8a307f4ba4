// Readers of one value: each throws an Error that tells what the value must be, without quoting it.

export function commaSeparated(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new Error('has an empty entry');
  return entries;
}

/** Decimal digits only: `Number` alone would accept `1e3`, `0x1f` and `" 1"`. */
export function strictInteger(low: number, high: number): (value: string) => number {
  return (value) => {
    const number = /^(0|[1-9]\d{0,9})$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= low && number <= high)) throw new Error(`must be an integer from ${low} to ${high}`);
    return number;
  };
}

export function oneOf<const Member extends string>(members: readonly Member[]): (value: string) => Member {
  return (value) => {
    const found = members.find((member) => member === value);
    if (found === undefined) throw new Error(`must be one of ${members.join(', ')}`);
    return found;
  };
}

export function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new Error('must be on or off');
  return value === 'on';
}

/** An absolute http(s) URL, returned without a trailing slash. */
export function publicUrl(value: string): string {
  const url = URL.parse(value);
  const plain = url && !url.search && !url.hash && !url.username && !url.password;
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be an absolute http or https URL without user, query or fragment');
  }
  // its path may become that of a cookie, where a semicolon ends it (RFC 6265, section 4.1.1)
  if (url.pathname.includes(';')) throw new Error('must not have a semicolon in its path');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** A part of a whole, 0 to 1. */
export function share(value: string): number {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number > 1) throw new Error('must be a number from 0 to 1');
  return number;
}

/** An origin as browsers send it: scheme, host and port. */
export function origin(value: string): string {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.replace(/\/$/, '') !== url.origin) {
    throw new Error('must be a list of origins like https://app.example.com, without path or wildcard');
  }
  return url.origin;
}
