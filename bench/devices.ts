import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Something that the service does for speed alone, and how its source would be without it. */
interface Device {
  edits: readonly { file: string; from: string; to: string }[];
}

/** By the name under which `--without` switches one off. */
export const devices: Readonly<Record<string, Device>> = {
  'compiled operations': {
    edits: [
      {
        file: 'schema/execution/executor.ts',
        from: 'const compiled = this.#find(ready);',
        to: 'const compiled = null;',
      },
    ],
  },
  'pages within rows': {
    edits: [
      {
        file: 'schema/nouns/subscription.ts',
        from: 'return subscriptionListInput(args, selection);\n    } catch',
        to: ';\n    } catch',
      },
    ],
  },
  'the way past Yoga': {
    edits: [{ file: 'schema/server/yoga.ts', from: '|| !documents.isValid(read.params)', to: '|| true' }],
  },
  'the primed loader': {
    edits: [
      {
        file: 'engine/primed-loader.ts',
        from: 'return this.#primed.get(key) ?? super.load(key);',
        to: 'return super.load(key);',
      },
      {
        file: 'engine/primed-loader.ts',
        from: 'if (!this.#primed.has(key)) this.#primed.set(key, value);',
        to: 'super.prime(key, value);',
      },
    ],
  },
  'ASCII sent as Latin-1': {
    edits: [{ file: 'http/end-text.ts', from: "length === text.length ? 'latin1' : 'utf8'", to: "'utf8'" }],
  },
  'kept statements': {
    edits: [
      {
        file: 'db/access/service-database.ts',
        from: "(prepared && kept.find(text, this.user())) || new Statement('', text)",
        to: "new Statement('', text)",
      },
    ],
  },
};

/**
 * A copy of the service without one of its devices.
 *
 * @returns its folder, in which it can be started
 * @throws Error if the source is no longer as the edits expect it
 */
export async function copyWithout(name: string): Promise<{ folder: string; remove(): Promise<void> }> {
  const root = path.join(import.meta.dirname, '..');
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-without-'));
  await cp(path.join(root, 'src'), path.join(folder, 'src'), { recursive: true });
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const { file, from, to } of devices[name]?.edits ?? []) {
    const target = path.join(folder, 'src', file);
    const text = await readFile(target, 'utf8');
    if (!text.includes(from)) throw new Error(`bench/devices.ts: ${name}: ${file} is no longer as it was`);
    await writeFile(
      target,
      text.replace(from, () => to),
    );
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
