import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { addressOf, copyOf, pages, root, slugify } from './links.ts';

const base = '/docs/';
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

/** The pages of each part in their order, without `.md`. */
const parts = {
  guides: [
    ...['first-requests', 'integrate-a-server', 'keep-a-copy', 'receive-webhooks', 'build-a-browser-client'],
    ...['query-with-graphql', 'public-pages-and-guests', 'import-and-export'],
  ],
  reference: [
    ...[
      'README',
      'conventions',
      'lists',
      'writes',
      'errors',
      'limits',
      'graphql',
      'changes',
      'webhooks',
      'sign-in',
      'api-keys',
    ],
    ...['events', 'subscriptions', 'forms', 'accounts', 'organizations', 'members', 'audit-trail', 'public-and-guests'],
    ...['pages', 'calendars-and-exports', 'leaving'],
  ],
  operate: [
    ...['README', 'install', 'containers', 'configure', 'secrets', 'database', 'proxies-and-restarts', 'upgrade'],
    ...[
      'backup-and-restore',
      'observe',
      'runbooks',
      'capacity',
      'administer',
      'move-an-organization',
      'troubleshooting',
    ],
  ],
  // their own page lists them: in the navigation, they were a tenth of the site
  contribute: [
    ...['README', 'architecture', 'add-a-resource', 'benchmarks', 'evidence', 'release', 'glossary'],
    'decisions/README',
  ],
  releases: ['README'],
};

/** The items of a part, each by the title of its page. @throws Error for a page that no part names */
function itemsOf(part: keyof typeof parts): DefaultTheme.SidebarItem[] {
  const folder = `docs/${part}`;
  const found = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  const missing = found.filter((name) => !parts[part].includes(name.slice(0, -3)));
  if (missing.length > 0) throw new Error(`docs/.vitepress/config.ts lacks ${missing.join(' and ')} of ${folder}`);
  return parts[part].map((name) => item(`${folder}/${name}.md`));
}

function item(file: string): { text: string; link: string } {
  const [, text = file] = /^# (.+)$/m.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
  return { text, link: addressOf(file, '', new Set()) };
}

const sidebar = {
  '/guides/': [{ text: 'Guides', items: [item('docs/concepts.md'), ...itemsOf('guides')] }],
  '/reference/': [{ text: 'Reference', items: itemsOf('reference') }],
  '/operate/': [{ text: 'Operate', items: itemsOf('operate') }],
  '/contribute/': [{ text: 'Contribute', items: itemsOf('contribute') }],
  '/releases/': [{ text: 'Releases', items: [...itemsOf('releases'), item('CHANGELOG.md')] }],
};

const files = new Set<string>();
const scripts = new Map<string, string>();
const packages = new Set<string>();

// npm run docs: the site of the documents, into dist/docs
export default defineConfig({
  title: 'Events Gateway',
  description: 'Events and their subscribers through REST and GraphQL',
  base,
  srcDir: '..',
  srcExclude: ['{bench,docs,examples,packages}/**/node_modules/**', '{src,test,ops,release,dist}/**'],
  rewrites: Object.fromEntries(Object.entries(pages).map(([file, page]) => [file, `${page}.md`])),
  outDir: path.join(root, 'dist/docs'),
  cacheDir: path.join(root, 'node_modules/.cache/vitepress'),
  cleanUrls: true,
  // addressOf and test/clients/documents.test.ts check them, anchors included
  ignoreDeadLinks: true,
  // by itself it would add a style element for a moment, which the policy forbids
  appearance: { disableTransition: false },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/first-requests', activeMatch: '^/(guides/|concepts)' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Operate', link: '/operate/', activeMatch: '^/operate/' },
      { text: 'Contribute', link: '/contribute/', activeMatch: '^/contribute/' },
      { text: version, link: '/releases/', activeMatch: '^/releases/' },
    ],
    sidebar: { ...sidebar, '/concepts': sidebar['/guides/'], '/repository/changelog': sidebar['/releases/'] },
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    anchor: { slugify },
    config: (md) => {
      md.core.ruler.push('addresses', ({ tokens, env }) => {
        const file = path.relative(root, env.realPath ?? env.path).replaceAll('\\', '/');
        for (const link of tokens
          .flatMap(({ children }) => children ?? [])
          .filter(({ type }) => type === 'link_open')) {
          const address = addressOf(String(link.attrGet('href')), file, files);
          const isFile = address.startsWith('/files/');
          link.attrSet('href', isFile ? base.slice(0, -1) + address : address);
          // neither VitePress nor the router of the site touches a link with a target
          if (isFile) link.attrSet('target', '_self');
        }
      });
    },
  },
  // no script may be inline: those of the theme become files
  transformHtml: (html) =>
    html.replace(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g, (_, attributes: string, text: string) => {
      const name = `assets/inline.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`;
      scripts.set(name, text);
      return `<script${attributes} src="${base}${name}"></script>`;
    }),
  buildEnd: ({ outDir }) => {
    const write = (name: string, text: string) => writeFileSync(path.join(outDir, name), text);
    mkdirSync(path.join(outDir, 'assets'), { recursive: true });
    for (const [name, text] of scripts) write(name, text);
    for (const file of files) {
      const copy = path.join(outDir, 'files', copyOf(file));
      cpSync(path.join(root, file), copy);
      // blanks are a third of the contracts
      if (file.endsWith('.json')) writeFileSync(copy, JSON.stringify(JSON.parse(readFileSync(copy, 'utf8'))));
    }
    write('packages.json', JSON.stringify([...packages].sort(), null, 2));
  },
  vite: {
    // the index of the search
    build: { chunkSizeWarningLimit: 5000 },
    plugins: [
      {
        name: 'packages-of-the-bundle',
        // for the bill of materials
        generateBundle: (_, bundle) => {
          for (const chunk of Object.values(bundle).filter((each) => each.type === 'chunk')) {
            for (const [module, { renderedLength }] of Object.entries(chunk.modules)) {
              const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.relative(root, module)) ?? [];
              if (folder && renderedLength > 0) packages.add(folder);
            }
          }
        },
      },
    ],
  },
});
