import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compile } from '../support/compile.ts';

const readme = readFileSync(new URL('../../packages/client/README.md', import.meta.url), 'utf8');
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
  const apps = {
    'app.tsx': appWith('apollo', [signIn, pages, document('graphql'), 'export default App;'].join('\n')),
    'urql.tsx': `import * as app from './app.tsx';
${appWith('urql', [pages, document('app.graphql'), 'export default SignedIn;'].join('\n'))}`,
    'relay.tsx': appWith(
      'relay',
      [
        'declare function Pages(props: { round: number }): null;',
        "declare const Changes: import('relay-runtime').GraphQLTaggedNode;",
        'export default SignedIn;',
      ].join('\n'),
    ),
  };
  expect(await compile(apps, { noUnusedLocals: true })).toBe('');
}, 120_000);
