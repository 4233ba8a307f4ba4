import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { examples } from '../../packages/explorer-content/src/examples.ts';
import { demoOrganizationId, demoPassword, ensureDemo } from '../../src/db/demo/demo.ts';
import { foreignRequests, openExplorer } from '../support/explorer-page.ts';
import { send } from '../support/send.ts';
import { serve, signIn } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const account = (role: string) => ({
  ...{ role, email: `${role}@demo.example`, password: demoPassword, organization: demoOrganizationId },
});
const server = await serve({ demoAccounts: [account('member'), account('manager')] });
await ensureDemo(server.orm);
const explorer = await shared(openExplorer(`${server.url}/graphql`));

const names = examples.map(({ query }) => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '');

/** Opens the tab of an example, and runs it. */
async function run(name: string) {
  await explorer.openTab(name);
  const answer = await explorer.run(name);
  expect(answer.errors, JSON.stringify(answer.errors)).toBeUndefined();
  return answer;
}

async function become(role: string) {
  const { page } = explorer;
  const out = page.getByRole('button', { name: 'Sign out' });
  if (await out.isVisible()) await out.click();
  if (role === 'guest') await page.getByRole('button', { name: 'Sign in' }).waitFor();
  else {
    await page.getByRole('button', { name: `Demo ${role}` }).click();
    await page.getByText('Signed in as').waitFor();
  }
}

/** The commands that the panel shows. */
async function curls(): Promise<string[]> {
  return await explorer.page.locator('.as-rest pre').allTextContents();
}

async function runCurl(command: string, email: string): Promise<unknown> {
  const { accessToken } = await signIn(server.url, email, demoPassword);
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    env: { PATH: process.env.PATH, TOKEN: accessToken },
  });
  return JSON.parse(stdout);
}

describe('each tab of a first visit runs as it is, again and again', () => {
  it('there are some for members, managers and guests, and some write', () => {
    expect(new Set(examples.map(({ role }) => role))).toEqual(new Set(['member', 'manager', 'guest']));
    expect(examples.filter(({ query }) => /^mutation/m.test(query)).length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(examples.length);
  });

  it.each(['member', 'manager', 'guest'] as const)(
    'as a %s',
    async (role) => {
      await become(role);
      for (const [index, name] of names.entries()) {
        if (examples[index]?.role !== role || /^subscription/m.test(examples[index].query)) continue;
        await run(name);
        const answer = await run(name);
        expect(answer.headers['x-organization-id']).toBe(demoOrganizationId);
        expect(answer.headers.authorization === undefined).toBe(role === 'guest');
      }
    },
    240_000,
  );

  it('one follows live what another tab writes, and REST follows it with curl', async () => {
    const { page } = explorer;
    await become('member');
    await explorer.openTab('Follow');
    const result = page.locator('.result-window');
    await page.getByRole('button', { name: /execute/i }).click();
    await result.getByText('"change": null').waitFor();
    const { accessToken } = await signIn(server.url, 'manager@demo.example', demoPassword);
    const caller = { accessToken, organizationId: demoOrganizationId };
    const dates = { date_start: '2031-05-03T10:00:00Z', date_end: '2031-05-03T12:00:00Z' };
    await send(server, caller, 'POST /events', { name: 'Seen live', status: 1, ...dates });
    await result.getByText('Seen live').waitFor();
    await page.getByRole('button', { name: /stop/i }).click();
    await page.getByRole('button', { name: 'Show As REST' }).click();
    await expect.poll(curls).toEqual([expect.stringMatching(/^curl -N -s -G .*\/changes \\\n/)]);
    await page.getByRole('button', { name: 'Hide As REST' }).click();
  }, 120_000);

  it('the footer is about the answer of its tab, and a placeholder without a value says what to do', async () => {
    const facts = explorer.page.getByLabel('The last answer');
    await become('member');
    const { extensions } = await run('WhoAmI');
    await expect.poll(() => facts.textContent()).toContain(`Cost ${extensions?.cost} of at most 10,000`);
    await explorer.openTab('Publish');
    await explorer.page.getByRole('button', { name: /execute/i }).click();
    await explorer.page.locator('.result-window').getByText('There is no draft that you may see').waitFor();
    expect(await facts.count()).toBe(0);
    await explorer.openTab('Follow');
    await explorer.page.getByRole('button', { name: /execute/i }).click();
    await explorer.page.locator('.result-window').getByText('"change": null').waitFor();
    await expect.poll(() => facts.textContent()).toMatch(/^Cost \d of at most 10,000 · status 200/);
    await explorer.openTab('WhoAmI');
    await expect.poll(() => facts.textContent()).toContain(`Cost ${extensions?.cost} of`);
  }, 120_000);
});

describe('as REST', () => {
  it('shows the requests that do the same, and a shell runs them', async () => {
    const { page } = explorer;
    await become('manager');
    await page.getByRole('button', { name: 'Show As REST' }).click();
    const { data } = await run('Upcoming');
    await expect.poll(curls).toHaveLength(3);
    const shown = await curls();
    const list = shown.find((each) => each.includes('/events \\')) ?? '';
    const count = shown.find((each) => each.includes('/events/count')) ?? '';
    expect(list).toContain(`-H 'x-organization-id: ${demoOrganizationId}'`);
    expect(list).toContain('-H "authorization: Bearer $TOKEN"');
    const { events } = data as { events: { totalCount: number; nodes: { name: string }[] } };
    const page1 = (await runCurl(list, 'manager@demo.example')) as { items: { name: string }[] };
    expect(page1.items.map(({ name }) => name)).toEqual(events.nodes.map(({ name }) => name));
    expect(await runCurl(count, 'manager@demo.example')).toBe(events.totalCount);
    await run('Subscribe');
    await expect.poll(curls).toEqual([expect.stringMatching(/\/events\/[\da-f-]{36}\/subscriptions \\\n {2}-X POST/)]);
    // the page finds the event, which the path names and the mutation does not
    await run('Decide');
    const decision = /\/events\/[\da-f-]{36}\/subscriptions\/[\da-f-]{36} \\\n {2}-X PATCH/;
    await expect.poll(curls).toEqual([expect.stringMatching(decision)]);
    const [decide = ''] = await curls();
    expect(await runCurl(decide, 'manager@demo.example')).toMatchObject({ status: 'accepted' });
    await run('WhoAmI');
    await expect.poll(() => page.locator('.as-rest .target').allTextContents()).toEqual(['GET /auth/me']);
  }, 120_000);

  it('says if there is no such request', async () => {
    const { page } = explorer;
    await explorer.openTab('WhoAmI');
    await explorer.write('operation', 'query WhoAmI { events(orderBy: { field: CREATED_AT }) { nodes { name } } }');
    await page.locator('.as-rest .no-twin').getByText('REST sorts events only by their start').waitFor();
  }, 120_000);

  it('all of this asks no other host, and leaves no complaint', () => {
    expect(foreignRequests(explorer, server.url)).toEqual([]);
    expect(explorer.complaints).toEqual([]);
  });
});
