import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Lock {
  packages: Record<
    string,
    { name?: string; version?: string; resolved?: string; link?: true; optionalDependencies?: Record<string, string> }
  >;
}

// A registry that holds no packages for other platforms leaves them out of the lock file, and `npm ci` then refuses it.
it.each(['package-lock.json', 'bench/package-lock.json'])(
  '%s names every optional dependency, and no registry',
  (file) => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as Lock;
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`${path}/node_modules/${name}`]?.version && !packages[`node_modules/${name}`]?.version,
      ),
    );
    expect(missing).toEqual([]);
    expect(Object.values(packages).filter(({ resolved, link }) => resolved && !link)).toEqual([]);
  },
);

it('puts no package in the place of another, so that an audit sees what is installed', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock;
  // the older versions of PostgreSQL, under names that say so
  const isVersioned = (path: string, name: string) => path.replace(/-\d+$/, '') === `node_modules/${name}`;
  const renamed = Object.entries(packages).filter(
    ([path, { name }]) => path.includes('node_modules/') && name && !isVersioned(path, name),
  );
  expect(renamed).toEqual([]);
});
