import { expect, it } from 'vitest';
import { ensureDemo, demoOrganizationId as organizationId } from '../../src/db/demo/demo.ts';
import { graphqlStory } from '../support/examples/graphql-story.ts';
import { StableValues } from '../support/examples/stable-values.ts';
import { credentials } from '../support/examples/story.ts';
import { exampleUrl } from '../support/examples/tell-story.ts';
import { send } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';

const server = await serve({ env: { PUBLIC_URL: exampleUrl } });
await ensureDemo(server.orm);

it('the recorded examples in GraphQL are what the service answers; `npm run record` renews them', async () => {
  const values = new StableValues();
  const kept: Record<string, string> = {};
  const recorded: Record<string, { document: string; response: unknown }> = {};
  for (const [name, { as, document, keep = {} }] of Object.entries(graphqlStory)) {
    const query = document.replace(/<(\w+)>/g, (_, each: string) => kept[each] ?? '');
    const { body } = await send(server, await callerOf(as), 'POST /graphql', { query: values.real(query) });
    const answer = values.stable(body, name) as { data: unknown; errors?: unknown };
    expect([name, answer.errors !== undefined]).toEqual([name, name === 'failure']);
    recorded[name] = { document: query, response: answer };
    for (const [each, path] of Object.entries(keep)) {
      kept[each] = String(path.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], answer.data));
    }
  }
  const file = new URL('../../docs/.vitepress/graphql-examples.json', import.meta.url);
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot(file.pathname);
});

async function callerOf(as: 'owner' | 'member' | 'guest') {
  if (as === 'guest') return { organizationId };
  const { email, password } = credentials[as];
  return { ...(await signIn(server.url, email, password)), organizationId };
}
