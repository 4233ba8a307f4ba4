import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A bill of materials in CycloneDX 1.5, as far as it is read here. */
export interface Bom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  scope?: string;
  hashes?: { alg: string; content: string }[];
}

/**
 * What a production install consists of, from the lock file alone. `npm sbom --omit dev` leaves out what development uses as
 * well, which is most of it: so npm gets a package that has neither development nor workspaces, and what it adds from the
 * lock file beyond the dependencies of that is left out.
 */
export function productionBom(root: string): Bom {
  const all = npmBom(root);
  const own = all.metadata.component['bom-ref'];
  const dependsOn = new Map(all.dependencies.map(({ ref, dependsOn: refs }) => [ref, refs]));
  const used = new Set<string>();
  const reach = (ref: string) => {
    if (used.has(ref)) return;
    used.add(ref);
    for (const next of dependsOn.get(ref) ?? []) reach(next);
  };
  reach(own);
  return {
    ...all,
    components: all.components.filter((each) => used.has(each['bom-ref'])),
    dependencies: all.dependencies.filter(({ ref }) => used.has(ref)),
  };
}

function npmBom(root: string): Bom {
  const parent = mkdtempSync(path.join(tmpdir(), 'events-gateway-sbom-'));
  try {
    const { devDependencies: _, workspaces: __, ...bare } = readJson(path.join(root, 'package.json'));
    const lock = readJson(path.join(root, 'package-lock.json')) as { packages: Record<string, object> };
    const { devDependencies: ___, workspaces: ____, ...bareRoot } = lock.packages[''] as Record<string, unknown>;
    const links = Object.entries(lock.packages).filter(([, each]) => 'link' in each);
    const packages = { ...lock.packages, '': bareRoot };
    for (const [name] of links) delete (packages as Record<string, unknown>)[name];
    // npm calls the product by the name of its folder
    const folder = path.join(parent, String(bare.name));
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(bare));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
    const text = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(text) as Bom;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
