// Prints the documents that clients send, by the clients' own tooling: `npm run documents --prefix bench`.
// The bare ones are sent as they stand in `sources`; Apollo's are the same, transformed by its cache; Relay's are
// compiled from sources of their own, since `@connection` takes edges. What is printed is committed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InMemoryCache } from '@apollo/client/cache';
import { parse, print, printSchema } from 'graphql';
import { makeSchema } from 'postgraphile';
import { openDatabase } from '../../src/db/open.ts';
import { presetFor } from '../servers/postgraphile-preset.mjs';

const here = import.meta.dirname;
const temporary = mkdtempSync(path.join(tmpdir(), 'bench-documents-'));
const sourcesOf = (peer) =>
  readdirSync(path.join(here, 'sources', peer)).map((file) => ({
    file,
    name: file.split('.')[0],
    text: readFileSync(path.join(here, 'sources', peer, file), 'utf8'),
  }));

try {
  printDocuments('gateway', readFileSync(path.join(here, '..', '..', 'schema.graphql'), 'utf8'));
  printDocuments('postgraphile', await postgraphileSchema());
} finally {
  rmSync(temporary, { recursive: true });
}

/** Of the tables as they are in an empty database. */
async function postgraphileSchema() {
  const database = await openDatabase({ url: null, replicaUrls: [], dataDir: path.join(temporary, 'data') });
  const preset = presetFor(database.url);
  try {
    return printSchema((await makeSchema(preset)).schema);
  } finally {
    for (const service of preset.pgServices) await service.release?.();
    await database.close();
  }
}

function printDocuments(peer, schema) {
  const folder = path.join(here, 'printed', peer);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const cache = new InMemoryCache();
  for (const { file, name, text } of sourcesOf(peer)) {
    if (file.endsWith('.relay.graphql')) continue;
    writeFileSync(path.join(folder, `${name}.apollo.graphql`), `${print(cache.transformDocument(parse(text)))}\n`);
  }
  for (const { name, text } of compileForRelay(peer, schema)) {
    writeFileSync(path.join(folder, `${name}.relay.graphql`), text);
  }
}

/** relay-compiler reads tagged templates of modules, and names what it persists by the hash of the text. */
function compileForRelay(peer, schema) {
  const folder = path.join(temporary, peer);
  const sources = path.join(folder, 'src');
  mkdirSync(sources, { recursive: true });
  writeFileSync(path.join(folder, 'schema.graphql'), schema);
  for (const { file, name, text } of sourcesOf(peer)) {
    if (file.endsWith('.relay.graphql')) writeFileSync(path.join(sources, `${name}.js`), `graphql\`${text}\`;\n`);
  }
  const persisted = path.join(folder, 'persisted.json');
  writeFileSync(persisted, '{}');
  const config = path.join(folder, 'relay.config.json');
  writeFileSync(
    config,
    JSON.stringify({
      src: './src',
      schema: './schema.graphql',
      language: 'javascript',
      persistConfig: { file: './persisted.json' },
    }),
  );
  const compiler = path.join(here, '..', 'node_modules', '.bin', 'relay-compiler');
  execFileSync(compiler, ['relay.config.json'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return Object.values(JSON.parse(readFileSync(persisted, 'utf8'))).map((text) => ({
    name: /^query (\w+)Query\b/.exec(text)?.[1],
    text,
  }));
}
