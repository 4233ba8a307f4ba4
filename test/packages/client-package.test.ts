import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { graphqlTypes, restTypes, schemaFacts } from '../../packages/client/generate.ts';
import { bundleClient, compile, packClient } from '../support/compile.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it('has the types of both documents; run `npm run print` if this fails', async () => {
  expect(read('packages/client/src/rest-types.ts')).toBe(await restTypes());
  expect(read('packages/client/src/graphql-types.ts')).toBe(await graphqlTypes());
  expect(read('packages/client/src/schema-facts.ts')).toBe(await schemaFacts());
});

it.each([
  ['index', 7_000],
  ['apollo', 7_500],
  ['relay', 7_500],
  ['urql', 8_900],
  ['react', 1_600],
  ['webhooks', 800],
])('%s has at most %i bytes, compressed and with all that it needs but its library', async (entry, most) => {
  const { length } = gzipSync(await bundleClient('esm', entry), { level: 9 });
  expect(length).toBeLessThanOrEqual(most);
  // a bound that nothing comes near says nothing
  expect(length).toBeGreaterThan(most * 0.75);
});

/** What an application does with the package, as installed: types.test.ts of the package has the rest. */
const application = `
import { ApiError, createClient, type introspection } from 'events-gateway-client';
import { verifyWebhook } from 'events-gateway-client/webhooks';
import { initGraphQLTada } from 'gql.tada';

const client = createClient({ url: 'https://events.example', organization: '019b7739-16c4-713d-922e-37c3d4317409', print: String });
const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();

export async function use(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, capacity } of client.list('/events', { where: { status: 1 }, fields: ['name', 'capacity'] })) {
    names.push(name, String((capacity ?? 0) + 1));
  }
  const found = await client.graphql(graphql('query ($id: ID!) { event(id: $id) { name capacity } }'), { id: '1' });
  names.push(found.event?.name ?? '');
  for await (const { change, cursor } of client.changes({ since: 'now' })) names.push(change.op, cursor);
  try {
    // @ts-expect-error the variable is missing
    await client.graphql(graphql('query ($id: ID!) { event(id: $id) { name } }'));
    // @ts-expect-error lists of events have no such field
    client.list('/events', { fields: ['nmae'] });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EVENT_FULL') names.push(error.message);
  }
  const message = await verifyWebhook('{}', new Headers(), 'whsec_');
  return [...names, message.type === 'ping' ? message.type : message.data.organization_id];
}
`;

/** The adapters, for an application that has their libraries. */
const adapters = `
import { ApolloClient, InMemoryCache } from '@apollo/client';
import { createClient } from 'events-gateway-client';
import { createLink, possibleTypes, typePolicies } from 'events-gateway-client/apollo';
import { answersOf, useFormErrors, useSession } from 'events-gateway-client/react';
import { applyChange, createEnvironment } from 'events-gateway-client/relay';
import { createUrqlClient } from 'events-gateway-client/urql';

const client = createClient({ url: 'https://events.example' });
export const apollo = new ApolloClient({ link: createLink(client), cache: new InMemoryCache({ possibleTypes, typePolicies }) });
export const relay = { environment: createEnvironment(client), updater: applyChange };
export const urql = createUrqlClient(client);
export const answers: Record<string, unknown> = answersOf([{ key: 'dish', type: 'TEXT' }], new FormData());
export const useForm = () => [useSession(client).organization?.role, useFormErrors(null, ['/name']).field('/name').message];
`;

it('installs from its archive, and type-checks under `strict`', async () => {
  const archive = await packClient();
  const folder = path.dirname(archive);
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', archive];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
    // only for the types of documents
    for (const name of ['gql.tada', '@gql.tada', '@0no-co']) {
      await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name)).catch(
        () => undefined,
      );
    }
    await writeFile(path.join(folder, 'application.ts'), application);
    const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable'.split(' ');
    options.push('--types', '');
    const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
    const run = () => execFileSync(tsc, [...options, 'application.ts'], { cwd: folder, encoding: 'utf8' });
    expect(run()).toBe('');
    const libraries = '@apollo @urql @graphql-typed-document-node @types react relay-runtime rxjs graphql wonka';
    for (const name of libraries.split(' ')) {
      await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
    }
    await writeFile(path.join(folder, 'adapters.ts'), adapters);
    const check = [...options, '--skipLibCheck', 'adapters.ts'];
    expect(execFileSync(tsc, check, { cwd: folder, encoding: 'utf8' })).toBe('');
    const ran = execFileSync(
      process.execPath,
      ['-e', "import('events-gateway-client').then((m) => console.log(typeof m.createClient))"],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(ran.trim()).toBe('function');
  } catch (error) {
    throw new Error(`${error}\n${(error as { stdout?: string }).stdout ?? ''}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 240_000);

const blocks = [...read('packages/client/README.md').matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code = '']) => code);

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
