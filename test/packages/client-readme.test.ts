import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..');
const readme = readFileSync(path.join(root, 'packages', 'client', 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** The block that imports from an adapter, with what an application adds. */
function appWith(adapter: string, added: string): string {
  const [block, ...others] = blocks.filter((each) => each.includes(`from 'events-gateway-client/${adapter}'`));
  if (!block || others.length > 0) throw new Error(`The README has not one app with ${adapter}.`);
  return `${block}\n${added}`;
}

const signIn = 'declare function SignIn(props: { session: Session }): null;';
const pages = 'declare function Pages(): null;';
const document = (graphql: string) => `const Changes = ${graphql}(\`
  subscription Changes($after: String) { changes(after: $after) { cursor change { kind op objectGlobalId event { id } } } }
\`);`;

it('the apps in the README compile', async () => {
  // below the packages of this repository, which they import
  const folder = await mkdtemp(path.join(root, 'node_modules', '.client-readme-'));
  try {
    const apps = {
      'app.tsx': appWith('apollo', [signIn, pages, document('graphql'), 'export default App;'].join('\n')),
      'urql.tsx': appWith('urql', [pages, document('app.graphql'), 'export default SignedIn;'].join('\n')),
      'relay.tsx': appWith(
        'relay',
        [
          'declare function Pages(props: { round: number }): null;',
          "declare const Changes: import('relay-runtime').GraphQLTaggedNode;",
          'export default SignedIn;',
        ].join('\n'),
      ),
    };
    apps['urql.tsx'] = `import * as app from './app.tsx';\n${apps['urql.tsx']}`;
    for (const [name, code] of Object.entries(apps)) await writeFile(path.join(folder, name), code);
    const config = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: { noUnusedLocals: true },
      include: ['*'],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
    expect(spawnSync(tsc, ['-p', folder], { cwd: root, encoding: 'utf8' })).toMatchObject({ stdout: '', status: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);
