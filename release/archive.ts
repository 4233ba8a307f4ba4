import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes the archive of a release: the tagged files, and the built ones of GraphiQL and the reference, whose packages a
 * production install does not have.
 *
 * @returns the path of the archive
 */
export function archiveRelease(root: string, version: string): string {
  const name = `events-gateway-${version}`;
  const archive = path.join('dist', `${name}.tar.gz`);
  const explorer = path.join('dist', 'explorer');
  const built = readdirSync(path.join(root, explorer)).map((file) => `--add-file=${path.join(explorer, file)}`);
  // a prefix counts for the files added after it, and the last one for what is tagged
  const prefixes = [`--prefix=${name}/${explorer}/`, ...built, `--prefix=${name}/`];
  execFileSync('git', ['archive', `--output=${archive}`, ...prefixes, `v${version}`], { cwd: root });
  return archive;
}
