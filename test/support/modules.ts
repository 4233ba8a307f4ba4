import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the source. */
export const src = path.join(import.meta.dirname, '..', '..', 'src');

/** A file of the source. */
export interface Module {
  /** Below `src`, with slashes. */
  file: string;
  text: string;
}

/** Finds what a module imports. */
export const importPattern = /(?:\bfrom\s|^import\s|\bimport\()\s*'([^'\n]+)'/gm;

/** Every module. */
export function sources(): Module[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(path.join(src, file), 'utf8') }));
}

/** The files that a module imports. */
export function importedFiles({ file, text }: Module): string[] {
  return [...text.matchAll(importPattern)]
    .filter(([, target = '']) => target.startsWith('.'))
    .map(([, target = '']) => path.posix.join(path.posix.dirname(file), target));
}
