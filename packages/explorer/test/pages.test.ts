import { describe, expect, it } from 'vitest';
import { fillPlaceholders } from '../src/browser/fill-placeholders.ts';
import { LastAnswer } from '../src/browser/last-answer.ts';
import { type Bundle, graphiqlPage, referencePage } from '../src/index.ts';

const bundle = {
  ...{ script: 'graphiql.js', scriptHash: 'sha256-a', style: 'graphiql.css', workers: {} },
  reference: { script: 'reference.js', style: 'reference.css', nonce: 'nonce.js' },
} as Bundle;
const settings = { name: 'Mill', id: 'mill', demo: [], base: './', links: [], assets: 'assets/' };

describe('a page', () => {
  it('may run the scripts of its bundle alone', () => {
    const graphiql = graphiqlPage(bundle, { ...settings, maxCost: 9 });
    expect(graphiql.headers['content-security-policy']).toContain("default-src 'none'; script-src 'sha256-a';");
    expect(graphiql.html).toContain('src="assets/graphiql.js" integrity="sha256-a"');
    const reference = referencePage(bundle, { ...settings, document: 'openapi.json', nonce: 'n1' });
    expect(reference.headers['content-security-policy']).toContain("script-src 'nonce-n1';");
    expect(reference.html.match(/<script defer [^>]*nonce="n1"/g)).toHaveLength(2);
  });

  it('cannot be left by its settings', () => {
    const { html } = graphiqlPage(bundle, { ...settings, maxCost: 9, data: '</script><script>alert(1)</script>' });
    expect(html).not.toContain('<script>alert');
    const [, json = ''] = /id="settings">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json)).toMatchObject({ name: 'Mill', maxCost: 9, data: '</script><script>alert(1)</script>' });
  });
});

describe('the variables of an example', () => {
  const placeholders = {
    '<a mill>': {
      find: (ask: (query: string) => Promise<unknown>) => ask('{ mill }') as Promise<string>,
      otherwise: 'Build one.',
    },
  };

  it('are looked up where they are described in words', async () => {
    const filled = await fillPlaceholders(placeholders, { id: '<a mill>', count: 2 }, async () => '7');
    expect(filled).toEqual({ variables: { id: '7', count: 2 }, filled: { id: '7' } });
  });

  it('say what to do if there is none', async () => {
    const missing = await fillPlaceholders(placeholders, { id: '<a mill>' }, async () => undefined);
    expect(missing).toEqual({ missing: 'Build one.' });
  });
});

it('remembers the last answer of each tab, and tells listeners', () => {
  const last = new LastAnswer();
  const seen: (number | undefined)[] = [];
  const leave = last.subscribe(() => seen.push(last.facts?.status));
  last.show('one');
  last.set({ status: 200, filled: {} });
  last.show('two');
  last.show('one');
  leave();
  last.set(null);
  expect(seen).toEqual([undefined, 200, undefined, 200]);
  expect(last.facts).toBeNull();
});
