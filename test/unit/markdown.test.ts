import { describe, expect, it } from 'vitest';
import { plainMarkdown } from '../../src/kernel/input/markdown.ts';
import { markdown } from '../../src/pages/markdown.ts';

const shown = (text: string) => markdown(text).text.trim();

describe('a description in Markdown (interface/pages.md#descriptions)', () => {
  it.each([
    ['**Bring** a *bowl*', '<p dir="auto"><strong>Bring</strong> a <em>bowl</em></p>'],
    ['one\r\ntwo', '<p dir="auto">one<br>two</p>'],
    ['# A\n\n#### B', '<h2 dir="auto">A</h2>\n<h3 dir="auto">B</h3>'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <img src=x onerror=y>', '<p dir="auto">a &lt;img src=x onerror=y&gt;</p>'],
    [
      '[a](https://a.example/?b&c)',
      '<p dir="auto"><a href="https://a.example/?b&amp;c" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['[a](javascript:alert(1))', '<p dir="auto">a</p>'],
    ['[a](data:text/html,x)', '<p dir="auto">a</p>'],
    ['[a](/dev/mailbox)', '<p dir="auto">a</p>'],
    [
      '![a](https://a.example/b.png)',
      '<p dir="auto"><a href="https://a.example/b.png" rel="nofollow noopener ugc">a</a></p>',
    ],
    [
      '[a](https://a.example/"onclick="b)',
      '<p dir="auto"><a href="https://a.example/&quot;onclick=&quot;b" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['|a|b|\n|-|-|', '<p dir="auto">|a|b|<br>|-|-|</p>'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['# Bread\n\n**Bring** a *bowl*,\nplease.', 'Bread\n\nBring a bowl,\nplease.'],
    ['[Mill](https://a.example) & https://b.example', 'Mill (https://a.example) & https://b.example'],
    ['- a\n- b\n\n1. c\n2. d', '- a\n- b\n\n1. c\n2. d'],
    ['1 < 2 <b>x</b>', '1 < 2 <b>x</b>'],
  ])('as plain text: %s', (text, expected) => {
    expect(plainMarkdown(text)).toBe(expected);
  });

  it.each(['_a_', '> ', '1. ', '!', 'a*b_', '[', '*', '`', '<a ', '[a](', '  - ', '\n', ' \n- '])(
    'never holds up the process: %j again and again',
    (unit) => {
      for (const length of [1_500, 8_000, 20_000]) {
        const begun = performance.now();
        expect(shown(unit.repeat(length / unit.length))).toBeTypeOf('string');
        expect(performance.now() - begun).toBeLessThan(500);
      }
    },
  );
});
