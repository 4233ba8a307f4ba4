import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nightly, nightlyOwn, postgres, unit } from './circles.ts';

const root = path.join(import.meta.dirname, '..');
const noteNumbers = new Set(readdirSync(path.join(root, 'docs/contribute/decisions')).map((name) => name.slice(0, 4)));

interface Text {
  /** Below the root, with slashes. */
  file: string;
  text: string;
}

/** Every text that may refer to another one; this file breaks the rules on purpose. */
function texts(): Text[] {
  const names = ['README.md', 'CHANGELOG.md', ...['docs', 'src', 'test', 'bench', 'examples'].flatMap(filesIn)];
  return names
    .filter((file) => file !== 'test/references.test.ts')
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|mjs|md)$/.test(name) && !name.split(path.sep).includes('node_modules'))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')));
}

const anchors = new Map<string, Set<string>>();

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const known = anchors.get(file);
  if (known) return known;
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^```.*?^```/gms, '');
  const found = new Set(
    [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
  anchors.set(file, found);
  return found;
}

/** Whether a file or folder is there and, in a page, the heading. */
function resolves(file: string, anchor?: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  return anchor === undefined || (statSync(path.join(root, file)).isFile() && anchorsOf(file).has(anchor));
}

/** Links of a page to files of this repository, and to headings. */
function brokenLinks({ file, text }: Text): string[] {
  if (!file.endsWith('.md')) return [];
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [name = '', anchor] = target.split('#');
      return !resolves(name === '' ? file : path.posix.join(path.posix.dirname(file), name), anchor);
    });
}

/** Citations of documents: `reference/lists.md#tokens`. */
function brokenCitations({ file, text }: Text): string[] {
  if (file.endsWith('.md')) return [];
  return [...text.matchAll(/\b((?:reference|operate)\/[\w-]+\.md)(?:#([\w-]+))?/g)]
    .filter(([, page = '', anchor]) => !resolves(`docs/${page}`, anchor))
    .map(([citation]) => citation);
}

/** Citations of notes: `note 0030` and, among notes, the bare number. */
function brokenNotes({ file, text }: Text): string[] {
  const isNote = file.startsWith('docs/contribute/decisions/');
  // numbers of migrations are others, and a note may replace some that are gone
  const others = /\bmigrations? `?0\d{3}(?: and 0\d{3})?|^Replaces .*$/gim;
  const pattern = isNote ? /(?<![\w-])0\d{3}\b(?!-)/g : /\bnotes? 0\d{3}(?:(?:, | and )0\d{3})*/g;
  return [...text.replace(others, '').matchAll(pattern)]
    .flatMap(([cited]) => cited.match(/0\d{3}/g) ?? [])
    .filter((number) => !noteNumbers.has(number));
}

/** Paths that a page names as code: those of a folder that it names, and files by any end of their path. */
function brokenPaths({ file, text }: Text): string[] {
  // the changelog names what is gone
  if (!file.endsWith('.md') || file === 'CHANGELOG.md') return [];
  const named = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, each = '']) => each)
    .filter((each) => !/[<>…]|NNNN/.test(each));
  const whole = named.filter((each) => /^(?:src|test|bench|docs|ops|packages|release|examples)\//.test(each));
  const ends = named.filter((each) => /^\w[\w./-]*\.tsx?$/.test(each) && !whole.includes(each));
  const found = (pattern: string) => globSync(pattern, { cwd: root, exclude: isForeign }).length > 0;
  return [...whole.filter((each) => !found(each)), ...ends.filter((each) => !found(`{.,**}/${each}`))];
}

const isForeign = (name: string) => ['node_modules', 'dist', '.git'].includes(path.basename(name));

/** Files that a comment names: `kernel/scalars.ts`, or the end of such a path. */
function brokenFiles({ file, text }: Text): string[] {
  if (!file.startsWith('src/') || file.endsWith('.md')) return [];
  const comments = text.match(/\/\*\*.*?\*\/|\/\/ .*$/gms) ?? [];
  return comments
    .flatMap((comment) => [...comment.matchAll(/(?<![\w./-])[\w-]+(?:[./][\w-]+)*\.ts\b/g)].map(([named]) => named))
    .filter((named) => globSync(`{.,src/**}/${named}`, { cwd: root }).length === 0);
}

/** Documents that are not in the repository, and notes cited in other forms. */
function oldCitations({ text }: Text): string[] {
  const forms = [
    /\b(?:decisions|writing)(?:\.md)?`? ?\(?(?:§|section \d)/gi,
    /\b(?:the|these|of) decisions\b(?! note)/gi,
    /\bcontract\b/gi,
    /\bdecisions? 0\d{3}\b/gi,
    /\bdecisions\/0\d{3}(?!-)/g,
  ];
  return forms.flatMap((form) => text.match(form) ?? []);
}

const rules = { brokenLinks, brokenCitations, brokenNotes, brokenPaths, brokenFiles, oldCitations };

function faults(given: readonly Text[]): string[] {
  return given.flatMap((each) =>
    Object.values(rules).flatMap((rule) => rule(each).map((reference) => `${each.file}: ${reference}`)),
  );
}

describe('references', () => {
  it('lead somewhere', () => {
    const all = texts();
    expect(all.length).toBeGreaterThan(500);
    expect(faults(all)).toEqual([]);
  });

  it.each([
    ['docs/reference/lists.md', '[pages](nowhere.md)'],
    ['docs/reference/lists.md', '[pages](#no-such-heading)'],
    ['docs/reference/lists.md', '[pages](sign-in.md#no-such-heading)'],
    ['README.md', '[notes](docs/decision)'],
    ['src/domain/event/event.ts', '/** Sorted (reference/nowhere.md). */'],
    ['src/domain/event/event.ts', '/** Sorted (reference/lists.md#no-such-heading). */'],
    ['test/unit/cursor.test.ts', '// sealed (note 0998)'],
    ['src/domain/event/event.ts', '/** Locked (notes 0030 and 0998). */'],
    ['docs/contribute/decisions/0001-reads-bypass-the-unit-of-work.md', 'as before (0998)'],
    ['docs/contribute/glossary.md', 'in `src/domain/nowhere.ts`'],
    ['docs/contribute/decisions/0001-reads-bypass-the-unit-of-work.md', 'by `test/rest/nowhere*.test.ts`'],
    ['README.md', 'below `src`: `schema/execution/executor.ts` runs it'],
    ['docs/contribute/README.md', 'the event (`lock-nothing.ts`)'],
    ['README.md', 'in `ops/proxies/nowhere.conf`'],
    ['src/domain/event/event.ts', '// see event/nowhere.ts'],
    ['src/domain/event/event.ts', '/** Sorted (decisions §2). */'],
    ['test/unit/cursor.test.ts', '// as the decisions (§9) say'],
    ['docs/contribute/decisions/0001-reads-bypass-the-unit-of-work.md', 'by writing.md §8'],
    ['src/domain/event/event.ts', '/** The page size (contract, limits). */'],
    ['src/domain/event/event.ts', '/** In turn (docs/contribute/decisions/0030). */'],
    ['docs/contribute/decisions/0001-reads-bypass-the-unit-of-work.md', 'as in decision 0030'],
  ])('would be noticed to be wrong in %s: %s', (file, text) => {
    expect(faults([{ file, text }])).not.toEqual([]);
  });

  it('of the circles are to files, each of them', () => {
    const expanded = (pattern: string): string[] => {
      const [braces, names] = /\{(.*?)\}/.exec(pattern) ?? [];
      if (!braces || !names) return [pattern];
      return names.split(',').flatMap((name) => expanded(pattern.replace(braces, name)));
    };
    const patterns = [...nightly, ...nightlyOwn, ...unit, ...postgres].flatMap(expanded);
    expect(patterns.filter((each) => globSync(each, { cwd: root }).length === 0)).toEqual([]);
  });

  it('may be of each of these forms', () => {
    const right: Text[] = [
      {
        file: 'docs/reference/lists.md',
        text: '[a](#tokens) [b](sign-in.md#sessions) [c](https://example.org) `src/rest` `rest/server/router.ts` `lock-event.ts`',
      },
      {
        file: 'src/domain/event/event.ts',
        text: '/** (reference/lists.md#tokens), (notes 0030 and 0053), RFC 9562 §5.7 */',
      },
      {
        file: 'docs/contribute/decisions/0001-reads-bypass-the-unit-of-work.md',
        text: 'as before (0030); migration 0998; `test/db/embedded*.test.ts`',
      },
    ];
    expect(faults(right)).toEqual([]);
  });
});
