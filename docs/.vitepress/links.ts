import { globSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..', '..');

/** The pages of the site by their Markdown file, which stays where it is read on its own: `docs/reference/README.md` is `reference/index`. */
export const pages: Readonly<Record<string, string>> = Object.fromEntries(
  ['*.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'bench/results/*.md']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => [file, pageOf(file)]),
);

function pageOf(file: string): string {
  const name = file.replace(/\.md$/, '');
  if (file.startsWith('docs/')) return name.slice('docs/'.length).replace(/(^|\/)README$/, '$1index');
  if (!file.includes('/')) return `repository/${name.toLowerCase()}`;
  return name.replace(/\/README$/, '');
}

/** The address in the site, without its base, of what a link in a Markdown file names; a file that is no page is added to `files`. */
export function addressOf(href: string, file: string, files: Set<string>): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [name = '', anchor] = href.split('#');
  const target = path.posix.join(path.posix.dirname(file), name).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = pages[target] ?? pages[`${target}/README.md`];
  if (page !== undefined) return `/${page.replace(/(^|\/)index$/, '$1')}${hash}`;
  if (!statSync(path.join(root, target), { throwIfNoEntry: false })?.isFile()) {
    throw new Error(`${file} links to ${href}, which is neither a page nor a file`);
  }
  files.add(target);
  return `/files/${copyOf(target)}`;
}

/** Browsers show what is no JSON as plain text, whatever the name ends in. */
export const copyOf = (file: string) => (file.endsWith('.json') ? file : `${file}.txt`);

/** The anchor of a heading as GitHub makes it, so that links work there, too. */
export const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
