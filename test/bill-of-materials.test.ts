import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { productionBom } from '../release/sbom.ts';
import { readAudit } from '../release/signatures.ts';
import { buildDocuments, buildExplorer } from './support/builds.ts';

const root = path.join(import.meta.dirname, '..');

interface Installed {
  name?: string;
  version: string;
  dev?: true;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** What Node.js would find from the dependencies of the service on, in the lock file. */
function expectedComponents(): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Installed>;
  };
  const found = new Set<string>();
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      const place = placeOf(packages, from, name);
      if (place === null || found.has(place)) continue;
      found.add(place);
      const { dependencies, optionalDependencies, peerDependencies } = packages[place] as Installed;
      visit(place, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  };
  const { dependencies, optionalDependencies } = packages[''] as Installed;
  visit('', Object.keys({ ...dependencies, ...optionalDependencies }));
  return [...found].map((place) => {
    const { name, version } = packages[place] as Installed;
    return `${name ?? place.split('node_modules/').at(-1)}@${version}`;
  });
}

/** The versions that are installed, and so were bundled. */
const installed = (...names: string[]) =>
  names.map((name) => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });

function placeOf(packages: Record<string, Installed>, from: string, name: string): string | null {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
}

await buildExplorer();
await buildDocuments();

describe('the bill of materials', () => {
  const bom = productionBom(root);
  const packages = bom.components.filter(({ type }) => type === 'library');
  const named = packages.map((each) => each['bom-ref']);
  const dependenciesOf = (name: string) => bom.dependencies.find(({ ref }) => ref === name)?.dependsOn ?? [];

  it('is valid CycloneDX', async () => {
    const text = JSON.stringify(bom);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)).toBeNull();
    const broken = text.replace('"bomFormat":"CycloneDX"', '"bomFormat":"other"');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(broken)).not.toBeNull();
  });

  it('names the service, every package of a production install and of the built explorer, each with its hash', () => {
    expect(bom.metadata.component).toMatchObject({ name: 'events-gateway', type: 'application' });
    const bundled = ['dist/explorer', 'dist/docs'].flatMap(dependenciesOf);
    expect(named.toSorted()).toEqual([...new Set([...expectedComponents(), ...bundled])].sort());
    expect(named).toEqual(expect.arrayContaining(installed('pg')));
    expect(named.filter((ref) => /^(vitest|typescript|esbuild|@biomejs\/biome)@/.test(ref))).toEqual([]);
    for (const { hashes, purl } of packages) {
      expect([purl, hashes?.[0]?.alg]).toEqual([expect.stringMatching(/^pkg:npm\//), 'SHA-512']);
    }
    const refs = new Set([...bom.components, bom.metadata.component].map((each) => each['bom-ref']));
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  });

  it('names what GraphiQL and the reference are made of under their own names, which a production install has not', () => {
    const made = installed('@graphiql/react', '@scalar/api-reference', 'graphiql', 'monaco-editor', 'react', 'vue');
    expect(dependenciesOf('dist/explorer')).toEqual(expect.arrayContaining(made));
    expect(expectedComponents().filter((each) => made.includes(each))).toEqual([]);
    const scopes = packages.filter((each) => made.includes(each['bom-ref'])).map(({ scope }) => scope);
    expect(scopes).toEqual(made.map(() => 'required'));
    expect(dependenciesOf('dist/docs')).toEqual(expect.arrayContaining(installed('vitepress', 'minisearch')));
    expect(dependenciesOf(bom.metadata.component['bom-ref'])).toEqual(
      expect.arrayContaining(['dist/docs', 'dist/explorer']),
    );
  });

  it('says nothing of the registry that it was made with', () => {
    expect(JSON.stringify(bom)).not.toMatch(/"type":"distribution"/);
  });
});

describe('signatures of packages', () => {
  it('fail a release only if they were checked', () => {
    expect(readAudit('{"invalid":[],"missing":[]}', '')).toEqual({ faults: [], unchecked: null });
    const invalid = '{"invalid":[{"name":"pg","version":"8.0.0"}],"missing":[{"name":"ms","version":"2.0.0"}]}';
    expect(readAudit(invalid, '')).toEqual({
      faults: ['pg@8.0.0: invalid signature', 'ms@2.0.0: no signature'],
      unchecked: null,
    });
    const offline =
      'npm error code ENOTFOUND\nnpm error errno ENOTFOUND\nnpm error network request to https://x failed\n';
    expect(readAudit('{"error":{"code":"ENOTFOUND"}}', offline)).toEqual({
      faults: [],
      unchecked: 'network request to https://x failed',
    });
    expect(readAudit('', '').unchecked).not.toBeNull();
  });
});
