import { hash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { Bundle } from './bundle.ts';

const browser = path.join(import.meta.dirname, 'browser');
const { resolve } = createRequire(createRequire(import.meta.url).resolve('@graphiql/react'));
const entries = {
  explorer: path.join(browser, 'main.js'),
  reference: path.join(browser, 'reference.js'),
  nonce: path.join(browser, 'nonce-styles.js'),
  'editor.worker': resolve('monaco-editor/esm/vs/editor/editor.worker.js'),
  'json.worker': resolve('monaco-editor/esm/vs/language/json/json.worker.js'),
  'graphql.worker': resolve('monaco-graphql/esm/graphql.worker.js'),
};

/** GraphiQL's style sheet already contains those of the editor, which its modules import again. */
const withoutEditorStyles: Plugin = {
  name: 'without-editor-styles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]monaco-editor[\\/].*\.css$/ }, () => ({ contents: '', loader: 'css' }));
  },
};

/**
 * Bundles GraphiQL and the reference with our pages, and the content of a service, into a folder. The names of files depend on their content and `bundle.json` is
 * replaced last, so that a service that is serving an older bundle, or a concurrent build, sees only complete files.
 */
export async function makeBundle({ folder, content }: { folder: string; content: string }): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: entries,
    outdir: folder,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'eof',
    // Vue leaves out what these switch off
    define: {
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    alias: { 'explorer-content': content },
    // only GraphiQL's own fetcher for subscriptions imports it, and this page has its own fetcher
    external: ['graphql-ws'],
    plugins: [withoutEditorStyles],
    logLevel: 'warning',
  });
  await mkdir(folder, { recursive: true });
  const files = outputFiles.map(({ path: file, contents }) => ({ name: path.basename(file), contents }));
  await Promise.all(files.map(({ name, contents }) => writeCompressed(path.join(folder, name), contents)));
  const made = (entry: keyof typeof entries, type = 'js') => {
    const found = files.find(({ name }) => name.startsWith(`${entry}-`) && name.endsWith(`.${type}`));
    if (!found) throw new Error(`the bundle has no ${type} of ${entry}`);
    return found;
  };
  const nameOf = (...entry: Parameters<typeof made>) => made(...entry).name;
  const bundle: Bundle = {
    script: nameOf('explorer'),
    scriptHash: `sha256-${hash('sha256', made('explorer').contents, 'base64')}`,
    style: nameOf('explorer', 'css'),
    workers: { editor: nameOf('editor.worker'), json: nameOf('json.worker'), graphql: nameOf('graphql.worker') },
    reference: { script: nameOf('reference'), style: nameOf('reference', 'css'), nonce: nameOf('nonce') },
  };
  await replace(path.join(folder, 'packages.json'), JSON.stringify(packagesIn(metafile), null, 2));
  await replace(path.join(folder, 'bundle.json'), JSON.stringify(bundle, null, 2));
  await removeOthers(folder, ['bundle.json', 'packages.json', ...files.map(({ name }) => name)]);
}

/** The folders of the packages that the files contain code of, as the lock file names them: for the bill of materials. */
function packagesIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return [...new Set(used.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))].sort();
}

/** Writes a file, and compressed for browsers at HTTPS or on localhost; others take it as it is. */
async function writeCompressed(file: string, contents: Uint8Array): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  await Promise.all([
    replace(file, contents),
    promisify(brotliCompress)(contents, quality).then((compressed) => replace(`${file}.br`, compressed)),
  ]);
}

async function replace(file: string, contents: Uint8Array | string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
}

/** Removes the files of former bundles. The files of a concurrent build have the same names as ours. */
async function removeOthers(folder: string, kept: readonly string[]): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !name.endsWith('.tmp') && !kept.includes(name.replace(/\.br$/, '')));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}
