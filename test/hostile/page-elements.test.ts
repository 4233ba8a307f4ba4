import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, it } from 'vitest';
import { type EventView, eventPage } from '../../src/pages/public/event-page.ts';

// Whatever an organizer writes, the page of an event has the elements that Markdown has, and no others.

/** The elements of a description, with their attributes. */
const allowed: Record<string, string[]> = {
  ...Object.fromEntries(
    ['ul', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'br', 'hr'].map((name) => [name, []]),
  ),
  ...Object.fromEntries(['p', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, ['dir']])),
  ol: ['start'],
  a: ['href', 'rel'],
};

const marker = 'the place of the description';
const pageWith = async (description: string) => {
  const time = '2031-05-03T08:00:00.000Z';
  const view: EventView = {
    scope: { organizationId: 'o', slug: 'o', name: 'O', revision: '1' },
    organizer: { description: null, website: null, contact_email: null, accent: null },
    event: {
      ...{ id: 'e', name: 'E', slug: 'e', description, status: 1, date_start: time, date_end: time, timezone: 'UTC' },
      ...{ location: null, registration: 'open', updated_at: time, availability: 'open' },
    },
    left: null,
    form: { version: 1, questions: [] },
    now: new Date(time),
  } as unknown as EventView;
  return (await eventPage(view, 'http://events.test')).body.text;
};

type Element = DefaultTreeAdapterTypes.Element;
const elementsOf = (node: DefaultTreeAdapterTypes.ParentNode): Element[] =>
  node.childNodes.flatMap((each) => ('tagName' in each ? [each, ...elementsOf(each)] : []));
const parsed = (body: string) => elementsOf(parse(`<!doctype html><html lang="en"><body>${body}</body></html>`));
const isText = ({ attrs }: Element) => attrs.some(({ name, value }) => name === 'class' && value === 'text');
const outline = (elements: Element[]) =>
  elements.map(({ tagName, attrs }) => [tagName, attrs.filter(({ name }) => name !== 'href')]);

/** What the text adds to the page beyond what it may, in words. */
function intruders(body: string, plain: string): string[] {
  const elements = parsed(body);
  const text = elements.find(isText);
  if (!text) return ['the description is gone'];
  const inside = elementsOf(text);
  const found = inside.flatMap(({ tagName, attrs }) => {
    const known = allowed[tagName];
    if (!known) return [`<${tagName}>`];
    return attrs.flatMap(({ name, value }) => {
      if (!known.includes(name)) return [`<${tagName} ${name}>`];
      return name === 'href' && !/^(https?:|mailto:)/.test(value) ? [`<a href="${value}">`] : [];
    });
  });
  const around = (all: Element[], within: Element[]) => outline(all.filter((each) => !within.includes(each)));
  const others = parsed(plain);
  const same = around(others, elementsOf(others.find(isText) as Element));
  if (JSON.stringify(around(elements, inside)) !== JSON.stringify(same)) found.push('the rest of the page');
  return found;
}

const fragments = [
  ...['<', '>', '</', '/>', '"', "'", '=', '/', ' ', '\n', '\n\n', '\t', '&', '&lt;', '&#60;', '&#x3c;', '\\'],
  ...['\u2028', '\u00a0'],
  ...['<code>', '<kbd>', '<pre>', '<script>', '</script>', '<style>', '<textarea>', '<plaintext>', '<title>', '<svg>'],
  ...['<math>'],
  ...['<meta/http-equiv=refresh content=0;url=//other>', '<a/href=//other/login class=button>', '<base/href=//other>'],
  ...['<form/action=/auth/logout method=post>', '<button/class=button>', '<link/rel=preconnect href=//other>'],
  ...['<iframe/src=//other>'],
  ...['<img src=x onerror=y>', '<div>', '</div>', '</main>', '<!--', '-->', '<![CDATA[', ']]>', '<?'],
  ...['<!doctype html>'],
  ...['[', ']', '(', ')', '](', '[a](', '![', '[a]: ', 'javascript:alert(1)', 'data:text/html,x', '//other'],
  ...['https://a.example', 'www.a.example'],
  ...['mailto:a@b.example', 'a@b.example', '<https://a.example>', '<javascript:a>', '*', '**', '_', '~~', '`', '``'],
  ...['```\n', '~~~ x"y\n', '    '],
  ...['# ', '> ', '- ', '1. ', '- [ ] ', '- [x] ', '***\n', '===\n', '|a|b|\n|-|-|\n', '"onclick="b', '"title"', 'x'],
  ...['😀', '\ud800', '\0'],
];

it('whatever the description is, the page has no element, attribute or address of its author', async () => {
  const plain = await pageWith(marker);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string()), { maxLength: 24 }),
      async (parts) => {
        expect(intruders(await pageWith(parts.join('')), plain)).toEqual([]);
      },
    ),
    { numRuns: 3_000, examples: [[['<kbd>', '<meta/http-equiv=refresh content=0;url=//other>']]] },
  );
});

it('would notice an element, an attribute, an address, and what ends the description', async () => {
  const plain = await pageWith(marker);
  for (const [html, found] of [
    ['<meta/http-equiv=refresh>', '<meta>'],
    ['<p class=button>', '<p class>'],
    ['<a href=//other></a>', '<a href="//other">'],
    ['</div><p>', 'the rest of the page'],
  ]) {
    expect(intruders(plain.replace(marker, html as string), plain)).toEqual([found]);
  }
});
