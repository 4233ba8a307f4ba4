import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../src/index.ts';
import { hostileMarkdown } from './hostile-markdown.ts';
import { processorTime } from './processor-time.ts';

const shown = (text: string) => readMarkdown(text).html.trim();

describe('a text in Markdown', () => {
  it.each([
    ['**Bring** a *bowl*', '<p dir="auto"><strong>Bring</strong> a <em>bowl</em></p>'],
    ['one\r\ntwo', '<p dir="auto">one<br>\ntwo</p>'],
    ['# A\n\n#### B', '<h2 dir="auto">A</h2>\n<h3 dir="auto">B</h3>'],
    ['A\n=\n\nB\n-', '<h2 dir="auto">A</h2>\n<h3 dir="auto">B</h3>'],
    ['~~no~~', '<p dir="auto"><s>no</s></p>'],
    ['- [ ] a\n- [x] b\n- [y] c', '<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n<li>[y] c</li>\n</ul>'],
    ['```button\na\n```', '<pre><code>a\n</code></pre>'],
    ['<script>alert(1)</script>', '<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['a <img src=x onerror=y>', '<p dir="auto">a &lt;img src=x onerror=y&gt;</p>'],
    ['<kbd><meta/http-equiv=refresh>', '<p dir="auto">&lt;kbd&gt;&lt;meta/http-equiv=refresh&gt;</p>'],
    [
      '[a](https://a.example/?b&c "title")',
      '<p dir="auto"><a href="https://a.example/?b&amp;c" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['[a](javascript:alert(1))', '<p dir="auto">a</p>'],
    ['[a](data:text/html,x)', '<p dir="auto">a</p>'],
    ['[a](/dev/mailbox)', '<p dir="auto">a</p>'],
    ['<ftp://a.example>', '<p dir="auto">ftp://a.example</p>'],
    [
      '![a](https://a.example/b.png)',
      '<p dir="auto"><a href="https://a.example/b.png" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['![](/b.png)', '<p dir="auto">/b.png</p>'],
    ['Oh! [a](/b)', '<p dir="auto">Oh! a</p>'],
    [
      'www.a.example, https://b.example, c@d.example',
      '<p dir="auto"><a href="http://www.a.example" rel="nofollow noopener ugc">www.a.example</a>, <a href="https://b.example" rel="nofollow noopener ugc">https://b.example</a>, <a href="mailto:c@d.example" rel="nofollow noopener ugc">c@d.example</a></p>',
    ],
    [
      '[a](https://a.example/"onclick="b)',
      '<p dir="auto"><a href="https://a.example/%22onclick=%22b" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['|a|b|\n|-|-|', '<p dir="auto">|a|b|<br>\n|-|-|</p>'],
    ['[a]\n\n[a]: /b', '<p dir="auto">[a]</p>\n<p dir="auto">[a]: /b</p>'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['# Bread\n\n**Bring** a *bowl*,\nplease.', 'Bread\n\nBring a bowl,\nplease.'],
    ['[Mill](https://a.example) & https://b.example', 'Mill (https://a.example) & https://b.example'],
    ['[Mill](/a), ![pie](https://a.example/b.png)', 'Mill, pie (https://a.example/b.png)'],
    ['- a\n- b\n\n1. c\n2. d', '- a\n- b\n\n1. c\n2. d'],
    ['7. a\n   - b\n   - [x] c\n7. d', '7. a\n  - b\n  - ☑ c\n8. d'],
    ['> a\n\n***\n\n```\nb\n```', 'a\n\n—\n\nb'],
    ['1 < 2 <b>x</b>', '1 < 2 <b>x</b>'],
  ])('as plain text: %s', (text, expected) => {
    expect(readMarkdown(text).plain).toBe(expected);
  });

  it('is parsed once for a content', () => {
    const text = `*${'a'.repeat(5_000)}*`;
    expect(readMarkdown(`${text} `.trimEnd())).toBe(readMarkdown(text));
  });

  it('takes time in proportion to its length, whatever it is, and grows by no more than a constant', () => {
    const quarters = [...hostileMarkdown(5_000)];
    const slow: string[] = [];
    for (const [index, text] of [...hostileMarkdown(20_000)].entries()) {
      const whole = processorTime(40, (round) => {
        const { html, plain } = readMarkdown(`${text}${round}`);
        expect(html.length + plain.length).toBeLessThan(80 * 20_000);
      });
      if (whole <= 40) continue;
      const quarter = processorTime(0, (round) => void readMarkdown(`${quarters[index]}${round}`));
      // four times in proportion, sixteen times by the square; the clock has steps of 4 ms
      if (whole > 10 * (quarter + 4)) slow.push(`${JSON.stringify(text.slice(0, 20))}: ${whole / quarter}`);
    }
    expect(slow).toEqual([]);
  }, 300_000);
});
