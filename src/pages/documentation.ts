import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type Router } from 'express';
import { onlyAllows } from './only-allows.ts';

const root = path.join(import.meta.dirname, '..', '..');
const folders = [
  'docs',
  'docs/guides',
  'docs/reference',
  'docs/operate',
  'docs/contribute',
  'docs/contribute/decisions',
];

/** Paths of the documents that are installed with the service, without a slash before them. */
export const documents: ReadonlySet<string> = new Set([
  ...filesOf('.'),
  ...folders.flatMap((folder) => filesOf(folder).map((name) => `${folder}/${name}`)),
]);

/** As written, below the paths that their links to each other have. */
export function documentation(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const document of documents) {
    router
      .route(`/${document}`)
      .get((_request, response) => {
        response.type('text/plain; charset=utf-8').send(readFileSync(path.join(root, document), 'utf8'));
      })
      .all(onlyAllows('GET, HEAD'));
  }
  return router;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  } catch {
    return [];
  }
}
