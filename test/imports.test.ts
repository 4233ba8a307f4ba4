import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedFiles, importPattern, type Module, packageSources, sources } from './support/modules.ts';

/** The folders of the GraphQL face, each above those that it may import; `schema.ts` puts the nouns together. */
const schemaFolders = ['builder', 'relay', 'nouns', 'schema.ts', 'execution', 'documents', 'server'];

/** Every import within the GraphQL face that goes up, in words. */
function upwardImports(modules: Module[]): string[] {
  const level = (file: string) => schemaFolders.indexOf(file.split('/')[1] as string);
  return modules
    .filter(({ file }) => file.startsWith('schema/'))
    .flatMap((module) =>
      importedFiles(module)
        .filter((target) => target.startsWith('schema/') && level(target) > level(module.file))
        .map((target) => `${module.file} imports ${target}`),
    );
}

/** What imports one another, each circle once; imports of types count, since readers follow them too. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reach(next, seen);
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((each) => [each, reach(each)]));
  const found = [...imports.keys()]
    .filter((each) => reached.get(each)?.has(each))
    .map((each) =>
      [...imports.keys()].filter((other) => reached.get(each)?.has(other) && reached.get(other)?.has(each)),
    );
  return [...new Map(found.map((circle) => [circle.sort().join(), circle])).values()];
}

function fileImports(modules: Module[]): Map<string, string[]> {
  return new Map(modules.map((module) => [module.file, importedFiles(module)]));
}

/** Of all entities it takes the types alone, so that every noun can build statements on every table. */
const types = 'domain/tables/tables.ts';

/** A folder within another one is a folder of its own. */
function folderImports(modules: Module[]): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  for (const module of modules.filter(({ file }) => file !== types)) {
    const from = path.posix.dirname(module.file);
    const others = importedFiles(module).map((file) => path.posix.dirname(file));
    imports.set(from, [...(imports.get(from) ?? []), ...others.filter((to) => to !== from)]);
  }
  return imports;
}

/** Every import of a package that leaves its folder, in words. */
function leavingPackages(modules: Module[]): string[] {
  return modules.flatMap((module) =>
    [...importedFiles(module), ...names(module).filter((name) => name.startsWith('#'))]
      .filter((target) => target.split('/')[0] !== module.file.split('/')[0])
      .map((target) => `${module.file} imports ${target}`),
  );
}

/** Every import of the source that reaches into a package, in words; its index is imported by name. */
function reachingIntoPackages(modules: Module[]): string[] {
  return modules.flatMap((module) =>
    [...importedFiles(module), ...names(module)]
      .filter((target) => /^\.\.\/|^#.*\//.test(target))
      .map((target) => `${module.file} imports ${target}`),
  );
}

/** What a module imports that is not a file. */
function names({ text }: Module): string[] {
  return [...text.matchAll(importPattern)].map(([, target = '']) => target).filter((target) => !target.startsWith('.'));
}

describe('imports', () => {
  it('form no circles of files', () => {
    expect(circles(fileImports(sources()))).toEqual([]);
    const file = (name: string, other: string) => ({
      file: `domain/${name}.ts`,
      text: `import { x } from './${other}.ts';`,
    });
    const planted = [file('a', 'b'), file('b', 'c'), file('c', 'b')];
    expect(circles(fileImports(planted))).toEqual([['domain/b.ts', 'domain/c.ts']]);
  });

  it('form no circles of folders', () => {
    expect(circles(folderImports(sources()))).toEqual([]);
    const ofTypes = sources().find(({ file }) => file === types);
    expect(ofTypes?.text.match(/^import (?!type).*entities/gm)).toBeNull();
    const parent = { file: 'engine/context.ts', text: "import { CursorCodec } from './list/cursor.ts';" };
    const child = { file: 'engine/list/list.ts', text: "import { Context } from '../context.ts';" };
    expect(circles(folderImports([parent, child]))).toEqual([['engine', 'engine/list']]);
    expect(circles(folderImports([child]))).toEqual([]);
  });

  it('go in one direction between the folders of the GraphQL face', () => {
    const own = sources().filter(({ file }) => file.startsWith('schema/'));
    expect(own.filter(({ file }) => !schemaFolders.includes(file.split('/')[1] as string))).toEqual([]);
    expect(upwardImports(own)).toEqual([]);
    const text = "import { requireAccess } from '../server/access.ts';";
    expect(upwardImports([{ file: 'schema/nouns/event.ts', text }])).toHaveLength(1);
  });

  it('of a package stay within its folder', () => {
    expect(packageSources().length).toBeGreaterThan(5);
    expect(leavingPackages(packageSources())).toEqual([]);
    const planted = (text: string) => leavingPackages([{ file: 'sealed-cursor/src/index.ts', text }]);
    expect(planted("import { Position } from '../../../src/engine/position.ts';")).toHaveLength(1);
    expect(planted("const client = await import('../../client/src/index.ts');")).toHaveLength(1);
    expect(planted("import { SealingKeys } from '#sealed-cursor';")).toHaveLength(1);
    expect(planted("import { SipHash } from './sip-hash.ts';")).toEqual([]);
  });

  it('of the source reach a package by its index alone', () => {
    expect(reachingIntoPackages(sources())).toEqual([]);
    const planted = (text: string) => reachingIntoPackages([{ file: 'main/services.ts', text }]);
    expect(planted("import { SipHash } from '../../packages/sealed-cursor/src/sip-hash.ts';")).toHaveLength(1);
    expect(planted("import { SipHash } from '#sealed-cursor/src/sip-hash.ts';")).toHaveLength(1);
    expect(planted("import { SealingKeys } from '#sealed-cursor';")).toEqual([]);
  });
});
