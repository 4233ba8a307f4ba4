import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Read } from '#environment-settings';
import { withExamples } from '../docs/.vitepress/examples.ts';
import { readBounds } from '../src/config/bounds.ts';
import { settingsOf } from '../src/config/settings.ts';
import { auditActions } from '../src/domain/audit/audit-actions.ts';
import { errorStatus } from '../src/http/errors.ts';

const root = new URL('..', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const page = (name: string) => read(`docs/${name}.md`);

/** The rows of a page's tables, as the texts of their cells. */
function rowsOf(name: string): string[][] {
  return page(name)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The names in a cell that are code. */
const namesIn = (cell = '') => [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);

/** The variables that are read, with their defaults. */
function defaultsOf(readAll: (read: Read) => unknown): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  readAll((name, _, otherwise) => {
    defaults[name] = otherwise;
    return otherwise;
  });
  return defaults;
}

describe('the reference', () => {
  it('name every setting once, and no other', () => {
    const declared = Object.keys(defaultsOf((reader) => settingsOf(reader, () => undefined)));
    const named = [...rowsOf('operate/configure'), ...rowsOf('reference/limits')].flatMap(([cell]) => namesIn(cell));
    expect(named.sort()).toEqual(declared.sort());
  });

  it('give the defaults of the bounds', () => {
    const said = Object.fromEntries(
      rowsOf('reference/limits').flatMap(([name, value]) => namesIn(name).map((each) => [each, value])),
    );
    const actual = Object.entries(defaultsOf(readBounds)).map(([name, value]) => [
      name,
      value === null ? '2 × cores + 1' : `\`${value}\``,
    ]);
    expect(said).toEqual(Object.fromEntries(actual));
  });

  it('list every code of the catalogue with its status', () => {
    const said = rowsOf('reference/errors').flatMap(([status, codes]) =>
      namesIn(codes).map((code) => [code, Number(status)]),
    );
    expect(Object.fromEntries(said)).toEqual(errorStatus);
  });

  it('list every action of the audit trail', () => {
    const listed = [...page('reference/audit-trail').matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action]) => action);
    expect(listed.sort()).toEqual([...auditActions].sort());
  });

  it('list the fields of each filter', () => {
    type Path = { get?: { parameters?: { name: string; description: string }[] } };
    const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Path> };
    const lists = {
      ...{ events: '/events', members: '/members', invitations: '/invitations', organizations: '/organizations' },
      ...{ sessions: '/auth/sessions', 'audit trail': '/audit', 'API keys': '/api-keys', webhooks: '/webhooks' },
      ...{ 'webhook deliveries': '/webhooks/{webhook}/deliveries', 'public events': '/public/events' },
      subscriptions: '/subscriptions',
      'subscriptions of an event': '/events/{event}/subscriptions',
      'subscription changes': '/events/{event}/subscriptions/{subscription}/changes',
    };
    const filtered = Object.keys(paths).filter((path) =>
      paths[path]?.get?.parameters?.some(({ name }) => name === 'where'),
    );
    expect(filtered.filter((path) => !/\/(count|export)$/.test(path)).sort()).toEqual(Object.values(lists).sort());
    const said = Object.fromEntries(rowsOf('reference/lists').map(([list = '', fields]) => [list, fields]));
    for (const [list, path] of Object.entries(lists)) {
      const where = paths[path]?.get?.parameters?.find(({ name }) => name === 'where')?.description ?? '';
      const declared = [...where.matchAll(/`(\w+)` \(/g)].map(([, name]) => name);
      const [, names = ''] = /^`([^`]*)`/.exec(said[list] ?? '') ?? [];
      expect([list, names.split(' ').sort()]).toEqual([list, declared.sort()]);
    }
  });
});

const pages = globSync('docs/reference/*.md', { cwd: root });

it.each(pages)('%s: its examples are the recorded ones; `npm run print` renews them', (page) => {
  const text = read(page);
  expect(text).toBe(withExamples(text));
});

it('the pages about operations begin with an example', () => {
  const without = pages.filter((page) => !read(page).includes('<!-- example '));
  expect(without.map((page) => page.split('/').at(-1)).sort()).toEqual(['README.md', 'limits.md', 'pages.md']);
});

it('no decision note has more than 60 lines, and there are at most 40', () => {
  const notes = globSync('docs/contribute/decisions/0*.md', { cwd: root });
  expect(notes.length).toBeLessThanOrEqual(40);
  expect(notes.filter((note) => read(note).split('\n').length > 61)).toEqual([]);
});
