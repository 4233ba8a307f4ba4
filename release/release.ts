import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractFaults } from './gate.ts';
import { packRelease } from './package.ts';
import { lastRelease, readContract, unreleasedPart } from './published.ts';
import { readJson } from './read-json.ts';
import { productionBom } from './sbom.ts';
import { auditSignatures } from './signatures.ts';

// `npm run release -- minor`: the version, the changelog, the frozen contract, the bill of materials, one commit, its tag, its npm package and checksums (note 0069)
const root = process.cwd();
const file = (...names: string[]) => path.join(root, ...names);
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();

/** What operators read that names the package or the image of the current version. */
const naming = [
  ...['docs/operate/install.md', 'docs/operate/containers.md', 'ops/systemd/events-gateway@.service'],
  ...['ops/kubernetes/events-gateway.yaml', 'ops/kubernetes/migrate.yaml'],
];

const sha256 = (name: string) => hash('sha256', readFileSync(path.resolve(root, name)));

try {
  await release(process.argv[2] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function release(step: string): Promise<void> {
  if (!['major', 'minor', 'patch'].includes(step)) throw new Error('npm run release -- major|minor|patch');
  if (run('git', 'status', '--porcelain')) throw new Error('Commit or put aside what is changed first.');
  run('npm', 'run', 'explorer');
  run('npm', 'run', 'print');
  if (run('git', 'status', '--porcelain')) throw new Error('openapi.json or schema.graphql was out of date.');
  const changelog = readFileSync(file('CHANGELOG.md'), 'utf8');
  const unreleased = unreleasedPart(changelog);
  if (!unreleased.trim()) throw new Error('CHANGELOG.md says nothing below "## [Unreleased]".');
  const today = new Date().toISOString().slice(0, 10);
  const last = file('docs', 'releases', lastRelease(root));
  const faults = await contractFaults(readContract(last), readContract(root), unreleased, today);
  if (faults.length > 0) throw new Error(faults.join('\n'));

  const { faults: unsigned, unchecked } = auditSignatures(root);
  if (unsigned.length > 0) throw new Error(unsigned.join('\n'));
  if (unchecked) console.warn(`The signatures of the packages were not checked: ${unchecked}`);

  const versionNow = () => readJson<{ version: string }>(file('package.json')).version;
  const former = versionNow();
  run('npm', 'version', step, '--no-git-tag-version');
  const version = versionNow();
  for (const name of naming) {
    const text = readFileSync(file(name), 'utf8');
    writeFileSync(file(name), text.replaceAll(new RegExp(`(events-gateway[-:])${former}`, 'g'), `$1${version}`));
  }
  writeFileSync(
    file('CHANGELOG.md'),
    changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`),
  );
  // the document has the version
  run('npm', 'run', 'print');
  const folder = file('docs', 'releases', version);
  mkdirSync(folder, { recursive: true });
  for (const name of ['openapi.json', 'schema.graphql']) copyFileSync(file(name), path.join(folder, name));
  // paths, not links: the site, which is part of the package, would have a copy of every release
  const paths = ['openapi.json', 'schema.graphql'].map((name) => `\`docs/releases/${version}/${name}\``).join(', ');
  appendFileSync(file('docs', 'releases', 'README.md'), `| ${version} | ${paths} |\n`);
  // the site has the version, and the bill of materials its packages
  run('npm', 'run', 'docs');
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(productionBom(root), null, 2)}\n`);
  run('git', 'add', '--all');
  run('git', 'commit', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  const files = [packRelease(root), path.join(folder, 'sbom.cdx.json')];
  const sums = files.map((each) => `${sha256(each)}  ${path.basename(each)}\n`).join('');
  writeFileSync(file('dist', 'SHA256SUMS'), sums);
  console.log(`Release ${version} is committed and tagged. To publish it: git push --follow-tags, with
${[...files, path.join('dist', 'SHA256SUMS')].join('\n')}`);
}
