import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

/** What every process that a test starts gets; compiled code is kept, since most of them load the whole service. */
export const childEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Where a program is installed, or null; administrators' programs are not on everybody's PATH. */
export function findProgram(name: string): string | null {
  return findPrograms(name)[0] ?? null;
}

const required = (process.env.REQUIRED_PROGRAMS ?? '').split(/[\s,]+/);

/**
 * Whether tests are skipped because a program is not installed.
 *
 * @throws if `REQUIRED_PROGRAMS` lists the program, or is `all`
 */
export function lacks(name: string, found: string | null = findProgram(name)): boolean {
  if (found !== null) return false;
  if (required.includes(name) || required.includes('all'))
    throw new Error(`REQUIRED_PROGRAMS: no ${name} is installed`);
  // reporters need not show the titles of skipped tests
  console.warn(`Tests are skipped: no ${name} is installed.`);
  return true;
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
