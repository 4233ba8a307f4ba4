import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Where a program is installed, or null; administrators' programs are not on everybody's PATH. */
export function findProgram(name: string): string | null {
  return findPrograms(name)[0] ?? null;
}

/** Everywhere that a program is installed. */
export function findPrograms(name: string): string[] {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, name)).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
