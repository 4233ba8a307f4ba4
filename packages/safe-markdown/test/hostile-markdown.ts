/** Pieces that parsers of Markdown take long for when they are repeated. */
const units = [
  ...['_a_', '*_a', '*__a', '_a__b', '*a_ ', 'a*b_', '*', '**a *a ', '~~a', '~', '`', '``b`', '[', '[[', '[a]('],
  ...['[a][', '*[a'],
  ...['![', '![](', '> ', '1. ', '- ', '+ * ', '  - ', '- [ ] ', '# ', 'a\n=\n', '```\n', '\n', ' \n- ', '\t', 'a\\\n'],
  ...['\\'],
  ...['<a ', '<', '<!--', '<http:', '&', '&#', '&amp;', '"', '(', '!', '[a]: b\n', '|a|b\n|-|-\n'],
  ...[
    'http://a ',
    'http://a(',
    'www.',
    'www.a ',
    'a@',
    'a@b.co ',
    'mailto:a@b.c ',
    '//',
    '://',
    'ab.com/',
    '😀*_',
    '😀',
  ],
];

/** Lines that are blank for a pattern like `\s*`, but not for every parser. */
const separators = ['\n\n', '\n\u00a0\n', '\n\f\n', '\n\u2003\n'];

/** So many characters (code points) of a piece. */
function repeated(unit: string, characters: number): string {
  return [...unit.repeat(Math.ceil(characters / [...unit].length))].slice(0, characters).join('');
}

/** Texts of so many characters that are as slow to parse as we know: pieces and pairs of them, in one and in five paragraphs. */
export function* hostileMarkdown(characters: number): Generator<string> {
  const fifth = Math.floor(characters / 5) - 3;
  for (const unit of units) {
    yield repeated(unit, characters);
    for (const separator of separators) yield Array.from({ length: 5 }, () => repeated(unit, fifth)).join(separator);
  }
  // each with the ten that come next
  for (const [index, unit] of units.entries()) {
    for (const other of units.slice(index + 1, index + 11)) yield repeated(unit + other, characters);
  }
  const pairs = [
    ['![', '](a)'],
    ['[', '](a)'],
    ['[', '][]'],
    ['*', '*'],
    ['**', '**'],
    ['~~', '~~'],
    ['(', ')'],
    ['<', '>'],
  ] as const;
  for (const [open, close] of pairs) {
    const depth = Math.floor(characters / (open.length + close.length));
    yield open.repeat(depth) + close.repeat(depth);
  }
  const address = `https://a.example/${'x'.repeat(characters / 2)}`;
  yield `[a]: ${address}\n\n${'[a]'.repeat(characters / 8)}`;
}
