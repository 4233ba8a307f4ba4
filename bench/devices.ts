import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Something that the service does for speed alone: the module of `src` that does it, and one that does without. */
interface Device {
  module: string;
  /** Of `bench/without`; has the same exports. */
  without: string;
}

/** By the name under which `--without` switches one off. */
export const devices: Readonly<Record<string, Device>> = {
  'compiled operations': { module: 'schema/execution/compile.ts', without: 'compile.ts' },
  'pages within rows': { module: 'schema/nouns/nested-subscriptions.ts', without: 'nested-subscriptions.ts' },
  'the primed loader': { module: 'engine/primed-loader.ts', without: 'primed-loader.ts' },
  'ASCII sent as Latin-1': { module: 'http/end-text.ts', without: 'end-text.ts' },
  "the requests' defence": { module: 'db/access/request-database.ts', without: 'request-database.ts' },
  'kept statements': { module: 'db/access/kept-statements.ts', without: 'kept-statements.ts' },
};

const folder = path.join(import.meta.dirname, 'without');

/** The URL of a module's file, in `src` and in `bench/without`. */
export function filesOf({ module, without }: Device): { module: string; without: string } {
  const urlOf = (...parts: string[]) => pathToFileURL(path.join(...parts)).href;
  return { module: urlOf(import.meta.dirname, '..', 'src', module), without: urlOf(folder, without) };
}

/**
 * The option of Node.js with which the service runs without a device: each import of its module gets the other one.
 *
 * @throws Error for a device that there is not
 */
export function optionWithout(name: string): string {
  const device = devices[name];
  if (!device) throw new Error(`There is no device ${name}.`);
  const register = pathToFileURL(path.join(folder, 'register.ts'));
  register.search = new URLSearchParams(filesOf(device)).toString();
  return `--import=${register.href}`;
}
