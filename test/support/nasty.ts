/** Texts of a size that some pattern, sorting or counting could take long for. */
export function nastyTexts(size: number): Record<string, string> {
  const of = (part: string) => part.repeat(Math.floor(size / Buffer.byteLength(part)));
  const half = (part: string) => part.repeat(Math.floor(size / 2 / Buffer.byteLength(part)));
  return {
    digits: of('1'),
    'digits and a letter': `${of('1').slice(1)}x`,
    'a decimal': `0.${of('7').slice(2)}`,
    addresses: of('a@'),
    labels: `a@${of('a.').slice(2)}`,
    'an address of letters': `${half('a')}@${half('b').slice(1)}`,
    spaces: of(' '),
    'spaces and a letter': `${of(' ').slice(1)}x`,
    names: of('a '),
    hyphens: of('-'),
    slashes: `http://${of('/').slice(7)}`,
    schemes: of('a:/'),
    'marks to be sorted': `${half('\u0301')}${half('\u0316')}`,
    emoji: of('🎉'),
    'wide letters': of('ﷺ'),
    commas: of(','),
    brackets: of('<&"'),
    'a date': `2031-05-24${of('0').slice(10)}`,
    messages: of(' ID cannot represent : '),
    'line ends': of('\n'),
  };
}

/** Values of JSON of a size with very many parts. */
export function nastyValues(size: number): Record<string, unknown> {
  const many = <Item>(bytes: number, make: (index: number) => Item) =>
    Array.from({ length: Math.floor(size / bytes) }, (_, index) => make(index));
  return {
    ...nastyTexts(size),
    escapes: '\u0001'.repeat(size / 6),
    'a list of numbers': many(2, () => 1),
    'a list of texts': many(4, () => 'a'),
    'a list of different texts': many(8, (index) => index.toString(36)),
    'a list of lists': many(3, () => []),
    'a list of objects': many(3, () => ({})),
    'a list of keys': many(13, (index) => ({ [index.toString(36)]: 1 })),
    'an object of many keys': Object.fromEntries(many(10, (index) => [index.toString(36), 1])),
    'an object of many numbers': Object.fromEntries(many(12, (index) => [String(index * 7), 1])),
    'a list in lists': nested(size),
  };
}

/** As deep as JSON can be that the test itself can write. */
function nested(size: number): unknown {
  let value: unknown = [];
  for (let depth = 0; depth < Math.min(2_000, size / 2); depth += 1) value = [value];
  return value;
}

/** Bodies of JSON, or nearly, that say nothing. */
export function nastyBodies(size: number): Record<string, string> {
  const of = (part: string) => part.repeat(Math.floor(size / part.length));
  return {
    'opening brackets': of('['),
    'lists in lists': of('[').slice(size / 2) + of(']').slice(size / 2),
    'objects in objects': of('{"a":'),
    'a text that does not end': `"${of('\\').slice(1)}`,
    'escapes that are none': `"${of('\\x').slice(2)}"`,
    digits: of('1'),
    commas: `[${of(',').slice(1)}`,
    spaces: of(' '),
    'keys that are the same': `{${of('"a":1,').slice(10)}"a":1}`,
  };
}

/** Forms as no browser sends them. */
export function nastyForms(size: number): Record<string, string> {
  const of = (part: string) => part.repeat(Math.floor(size / part.length));
  return {
    ampersands: of('&'),
    names: of('a&'),
    pairs: of('a=1&'),
    'different names': Array.from({ length: size / 8 }, (_, index) => index.toString(36)).join('&'),
    percents: of('%'),
    'escaped letters': of('%41'),
    'broken characters': `a=${of('%ff').slice(3)}`,
    pluses: `a=${of('+').slice(2)}`,
    equals: of('='),
  };
}
