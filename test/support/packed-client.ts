import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import manifest from '../../packages/client/package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '..', '..');
const folder = path.join(root, 'packages', 'client');

/** An entry of the client package as an application gets it: one minified module with all that it needs, but the peers. */
export async function bundleClient(format: 'esm' | 'iife' = 'esm', entry = 'index'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'src', `${entry}.ts`)],
    external: Object.keys(manifest.peerDependencies),
    bundle: true,
    minify: true,
    write: false,
    format,
    globalName: format === 'iife' ? 'eventsGateway' : undefined,
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** Packs the client as for a registry. @returns the path of the archive, in a folder of its own */
export async function packClient(): Promise<string> {
  const destination = await mkdtemp(path.join(tmpdir(), 'events-gateway-client-'));
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], options);
  const filename = /events-gateway-client-[\w.-]+\.tgz/.exec(packed)?.[0];
  if (!filename) throw new Error(`npm pack said: ${packed}`);
  return path.join(destination, filename);
}
