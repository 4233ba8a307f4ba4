import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readJson } from './read-json.ts';

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
  type: string;
  name: string;
  version?: string;
  description?: string;
  purl?: string;
  scope?: string;
  properties?: { name: string; value: string }[];
  hashes?: { alg: string; content: string }[];
}

/** The pages for developers. Their packages are for development: a production install has only what was built of them. */
const built: readonly Component[] = [
  file('dist/docs', 'the documents, built for browsers'),
  file('dist/explorer', 'GraphiQL and the REST reference, built for browsers'),
];

function file(name: string, description: string): Component {
  return { 'bom-ref': name, type: 'file', name, description };
}

/**
 * What a release consists of: the packages of a production install, from the lock file, and those whose code is in the built
 * pages, as the bundlers list them.
 */
export function productionBom(root: string): Bom {
  const { packages } = readJson<Lock>(path.join(root, 'package-lock.json'));
  const foldersOf = ({ name }: Component) => readJson<string[]>(path.join(root, name, 'packages.json'));
  const folders = built.flatMap(foldersOf);
  const bundled = new Set(folders.map((folder) => refOf(packages, folder)));
  const { devDependencies = {} } = packages[''] as Installed;
  const installed = reachable(npmBom(root, {}));
  const chosen = Object.entries(devDependencies).filter(([name]) => folders.includes(`node_modules/${name}`));
  const all = npmBom(root, Object.fromEntries(chosen));
  const own = all.metadata.component['bom-ref'];
  const isKnown = (ref: string) => installed.has(ref) || bundled.has(ref);
  const ofPackages = all.dependencies.flatMap(({ ref, dependsOn }) => {
    if (ref === own)
      return [
        { ref, dependsOn: [...dependsOn.filter((each) => installed.has(each)), ...built.map((each) => each.name)] },
      ];
    return isKnown(ref) ? [{ ref, dependsOn: dependsOn.filter(isKnown) }] : [];
  });
  return {
    ...all,
    components: [...all.components.filter((each) => isKnown(each['bom-ref'])), ...built],
    dependencies: [
      ...ofPackages,
      ...built.map((each) => ({
        ref: each.name,
        dependsOn: [...new Set(foldersOf(each).map((folder) => refOf(packages, folder)))],
      })),
    ],
  };
}

interface Installed {
  name?: string;
  version: string;
  link?: true;
  dev?: true;
  devDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Installed>;
}

/** How npm calls a package in its bill of materials. */
function refOf(packages: Lock['packages'], folder: string): string {
  const found = packages[folder];
  if (!found)
    throw new Error(
      `The pages were built with another lock file, which had ${folder}: npm run explorer && npm run docs`,
    );
  return `${found.name ?? folder.split('node_modules/').at(-1)}@${found.version}`;
}

/** npm adds packages of the lock file that nothing depends on; they are left out. */
function reachable({ metadata, dependencies }: Bom): Set<string> {
  const dependsOn = new Map(dependencies.map(({ ref, dependsOn: refs }) => [ref, refs]));
  const used = new Set<string>();
  const reach = (ref: string) => {
    if (used.has(ref)) return;
    used.add(ref);
    for (const next of dependsOn.get(ref) ?? []) reach(next);
  };
  reach(metadata.component['bom-ref']);
  return used;
}

/**
 * `npm sbom --omit dev` leaves out what development uses as well, which is most of it: so npm gets a package that has
 * neither development nor workspaces, and these dependencies more.
 */
function npmBom(root: string, more: Record<string, string>): Bom {
  const parent = mkdtempSync(path.join(tmpdir(), 'events-gateway-sbom-'));
  try {
    const manifest = bare(readJson<Record<string, unknown>>(path.join(root, 'package.json')), more);
    const lock = readJson<Lock>(path.join(root, 'package-lock.json'));
    const installed = Object.entries(lock.packages).filter(([, { link }]) => !link);
    // what the pages contain is shipped, whatever it is here
    const shipped = installed.map(([folder, { dev: _, ...each }]) => [folder, each]);
    const packages = { ...Object.fromEntries(shipped), '': bare({ ...lock.packages[''] }, more) };
    // npm calls the product by the name of its folder
    const folder = path.join(parent, String(manifest.name));
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
    const text = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(text) as Bom;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function bare(manifest: Record<string, unknown>, more: Record<string, string>): Record<string, unknown> {
  const { devDependencies: _, workspaces: __, dependencies, ...others } = manifest;
  return { ...others, dependencies: { ...(dependencies as object), ...more } };
}
