import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ExplorerPage, foreignRequests, openExplorer } from '../support/explorer-page.ts';
import { insertMember, insertMembership, insertOrganization, password } from '../support/fixtures.ts';
import { startPathProxy } from '../support/path-proxy.ts';
import { serve } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const email = 'manager@door.example';
const proxy = await shared(startPathProxy('/api/v1'));
const demoAccounts = [{ role: 'manager', email, password, organization: crypto.randomUUID() }];
const server = await serve({ env: { PUBLIC_URL: proxy.url }, demoAccounts });
proxy.serve(server.url);
const { id: first } = await insertOrganization(server.orm, { name: 'First Society' });
const { id: userId } = await insertMember(server.orm, { organizationId: first, role: 'manager', email, name: 'Dora' });
const { id: second } = await insertOrganization(server.orm, { name: 'Second Society' });
await insertMembership(server.orm, { organizationId: second, userId });

let explorer: ExplorerPage;
beforeEach(async () => {
  explorer = await openExplorer(`${proxy.url}/graphql`);
}, 90_000);
afterEach(async () => {
  expect(foreignRequests(explorer, proxy.url)).toEqual([]);
  await explorer.close();
});

/** Runs a query of the name that the first tab has: GraphiQL learns of another one only after a while. */
async function ask(selection: string, headers: Record<string, string> = {}) {
  await explorer.write('request-headers', JSON.stringify(headers));
  await explorer.write('operation', `query WhoAmI ${selection}`);
  return await explorer.run('WhoAmI');
}

const organizationName = '{ organization { name } }';

it('two clicks lead from the first visit to the first answer, and its cost is shown', async () => {
  const { page, run, complaints } = explorer;
  await page.getByRole('button', { name: 'Demo manager' }).click();
  await page.getByText('Signed in as Dora').waitFor();
  const { data } = await run('WhoAmI');
  expect(data).toMatchObject({ viewer: { name: 'Dora' } });
  await page.locator('.result-window').getByText('Dora').waitFor();
  expect(await page.getByLabel('The last answer').textContent()).toMatch(
    /^Cost 101 of at most 10,000 · status 200 · \d+ ms$/,
  );
  expect(complaints).toEqual([]);
}, 120_000);

it('signs in with a password, says what was wrong, follows the organization, and signs out', async () => {
  const { page } = explorer;
  const signIn = async (secret: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('wrong');
  await page.locator('.sign-in-bar [role=status]', { hasText: /\w/ }).waitFor();
  await signIn(password);
  await page.getByText('Signed in as Dora').waitFor();
  expect(await page.locator('.sign-in-bar [role=status]').textContent()).toBe('');
  const answer = await ask(organizationName);
  expect(answer.data).toEqual({ organization: { name: 'First Society' } });
  expect(answer.headers['x-organization-id']).toBe(first);
  await page.getByLabel('Organization').selectOption({ label: 'Second Society (member)' });
  expect((await ask(organizationName)).data).toEqual({ organization: { name: 'Second Society' } });
  // what the editor of headers says comes first
  const scoped = await ask(organizationName, { 'x-organization-id': first });
  expect(scoped.data).toEqual({ organization: { name: 'First Society' } });
  const refused = await ask(organizationName, { authorization: 'Bearer x' });
  expect(refused.errors).toMatchObject([{ extensions: { code: 'INVALID_TOKEN' } }]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect((await ask('{ viewer { name } }')).errors).toMatchObject([{ extensions: { code: 'INVALID_TOKEN' } }]);
  await expect.poll(() => page.context().cookies(`${proxy.url}/auth`)).toEqual([]);
}, 120_000);

it('renews a token that is refused, and one from before the page was loaded, without being asked', async () => {
  const { page, requests } = explorer;
  await page.getByRole('button', { name: 'Demo manager' }).click();
  await page.getByText('Signed in as Dora').waitFor();
  // the page keeps the token to itself; a request with a spoilt one is what an expired one is like
  const sent: string[] = [];
  await page.route('**/graphql', (route) => {
    const headers = route.request().headers();
    sent.push(headers.authorization ?? '');
    if (sent.length > 1) return route.continue();
    return route.continue({ headers: { ...headers, authorization: 'Bearer spoilt' } });
  });
  await page.getByRole('button', { name: /execute/i }).click();
  await page.locator('.result-window').getByText('Dora').waitFor();
  expect(sent).toHaveLength(2);
  expect(sent[1]).not.toBe(sent[0]);
  expect(requests.filter((url) => url.endsWith('/auth/refresh'))).toHaveLength(1);
  await page.unroute('**/graphql');
  await page.reload();
  await page.getByText('Signed in as Dora').waitFor();
  await page.locator('.graphiql-query-editor .view-lines').first().waitFor();
  expect((await explorer.run('WhoAmI')).data).toMatchObject({ viewer: { name: 'Dora' } });
}, 120_000);

it('renews a token shortly before it ends, without a refusal', async () => {
  const { page, requests } = explorer;
  await page.route('**/auth/login', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), expires: Date.now() + 30_000 } });
  });
  await page.getByRole('button', { name: 'Demo manager' }).click();
  await page.getByText('Signed in as Dora').waitFor();
  expect((await explorer.run('WhoAmI')).data).toMatchObject({ viewer: { name: 'Dora' } });
  expect(requests.filter((url) => url.endsWith('/auth/refresh'))).toHaveLength(1);
}, 120_000);

it('clears every answer, and what the footer says of it, when another organization is chosen', async () => {
  const { page } = explorer;
  const result = page.locator('.result-window');
  const facts = page.getByLabel('The last answer');
  await page.getByRole('button', { name: 'Demo manager' }).click();
  await page.getByText('Signed in as Dora').waitFor();
  await ask(organizationName);
  await result.getByText('First Society').waitFor();
  await facts.waitFor();
  await explorer.openTab('Upcoming');
  await page.getByLabel('Organization').selectOption({ label: 'Second Society (member)' });
  await explorer.openTab('WhoAmI');
  expect(await result.getByText('First Society').count()).toBe(0);
  expect(await facts.count()).toBe(0);
  await page.getByRole('button', { name: /execute/i }).click();
  await result.getByText('Second Society').waitFor();
  await page.getByLabel('Organization').selectOption({ label: 'First Society (manager)' });
  await expect.poll(() => result.getByText('Second Society').count()).toBe(0);
  await expect.poll(() => facts.count()).toBe(0);
}, 120_000);

it('on a phone the answer has the width of the window, and room', async () => {
  const { page } = explorer;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Demo manager' }).click();
  await page.getByText('Signed in as Dora').waitFor();
  await ask(organizationName);
  await page.locator('.result-window').getByText('First Society').waitFor();
  for (const part of ['.result-window', '.graphiql-query-editor', '.graphiql-footer']) {
    const box = await page.locator(part).boundingBox();
    expect([part, box?.width]).toEqual([part, expect.toSatisfy((width) => width > 280 && width <= 390)]);
  }
  expect((await page.locator('.result-window').boundingBox())?.height).toBeGreaterThan(150);
  expect((await page.locator('.graphiql-footer').boundingBox())?.height).toBeLessThan(80);
  // the editor of variables is above the answer, not over it
  const tool = await page.locator('.graphiql-editor-tool').boundingBox();
  const answer = await page.locator('.result-window').boundingBox();
  expect((tool?.y ?? 0) + (tool?.height ?? 0)).toBeLessThanOrEqual(answer?.y ?? 0);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await expect.poll(() => page.locator('.graphiql-sessions').isVisible()).toBe(false);
  expect((await page.locator('.graphiql-plugin').boundingBox())?.height).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
  await page.locator('.result-window').waitFor();
}, 120_000);
