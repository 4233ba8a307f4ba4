import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the source. */
export const src = path.join(import.meta.dirname, '..', '..', 'src');

/** A file of the source or of a package. */
export interface Module {
  /** Below `src` or `packages`, with slashes. */
  file: string;
  text: string;
}

/** Finds what a module imports. */
export const importPattern = /(?:\bfrom\s|^import\s|\bimport\()\s*'([^'\n]+)'/gm;

/** Every module of the source. */
export function sources(): Module[] {
  return modulesIn(src);
}

/** Every module of the packages; `file` begins with the name of the package. */
export function packageSources(): Module[] {
  return modulesIn(path.join(src, '..', 'packages'));
}

function modulesIn(folder: string): Module[] {
  return globSync('**/*.{ts,js}', { cwd: folder, exclude: (name) => name === 'node_modules' || name === 'dist' }).map(
    (file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(path.join(folder, file), 'utf8') }),
  );
}

/** The files that a module imports. */
export function importedFiles({ file, text }: Module): string[] {
  return [...text.matchAll(importPattern)]
    .filter(([, target = '']) => target.startsWith('.'))
    .map(([, target = '']) => path.posix.join(path.posix.dirname(file), target));
}
