import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A part of the service whose cost or gain is measured: its module, from `src` on, and a replacement without it. */
interface Device {
  module: string;
  /** The replacement in `bench/without`, with the same exports. */
  without: string;
  /** Whether it is about writes, which `--writes --without` measures. */
  writes?: true;
}

/** The optimizations, and what writes pay for, by their names for `--without`. */
export const devices: Readonly<Record<string, Device>> = {
  'compiled operations': { module: '../packages/compiled-graphql/src/compile.ts', without: 'compile.ts' },
  'pages within rows': { module: 'schema/nouns/nested-subscriptions.ts', without: 'nested-subscriptions.ts' },
  'the primed loader': { module: 'engine/primed-loader.ts', without: 'primed-loader.ts' },
  'kept statements': { module: '../packages/postgres-access/src/kept-names.ts', without: 'kept-names.ts' },
  'the log of changes': { module: 'domain/change/change-log.ts', without: 'change-log.ts', writes: true },
};

/** The names of those that are about reads, or about writes. */
export function devicesFor(what: 'reads' | 'writes'): string[] {
  return Object.keys(devices).filter((name) => (devices[name]?.writes ?? false) === (what === 'writes'));
}

const folder = path.join(import.meta.dirname, 'without');

/** The URL of a module's file, and of that in `bench/without`. */
export function filesOf({ module, without }: Device): { module: string; without: string } {
  const urlOf = (...parts: string[]) => pathToFileURL(path.join(...parts)).href;
  return { module: urlOf(import.meta.dirname, '..', 'src', module), without: urlOf(folder, without) };
}

/**
 * The option of Node.js that runs the service without a device: imports of its module get the replacement.
 *
 * @throws Error if the name is unknown
 */
export function optionWithout(name: string): string {
  const device = devices[name];
  if (!device) throw new Error(`There is no device ${name}.`);
  const register = pathToFileURL(path.join(folder, 'register.ts'));
  register.search = new URLSearchParams(filesOf(device)).toString();
  return `--import=${register.href}`;
}
