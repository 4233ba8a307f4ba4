import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { bundleAssets, explorerPage } from '../../src/explorer/explorer.ts';
import { buildExplorer } from '../support/builds.ts';
import { foreignRequests, openExplorer } from '../support/explorer-page.ts';
import { insertEvent } from '../support/fixtures.ts';
import { readAnswer } from '../support/send.ts';
import { serveInTest, serveTeam } from '../support/server.ts';
import { sharedFolder } from '../support/shared.ts';

await buildExplorer();
const { server, team } = await serveTeam();
await insertEvent(server.orm, { organizationId: team.organizationId, name: 'Seen' });
const html = { accept: 'text/html,*/*;q=0.8' };
const folder = await sharedFolder();

test('a browser that opens /graphql gets GraphiQL, which asks no other host, runs a query, and adds a field to it', async () => {
  const explorer = await openExplorer(`${server.url}/graphql`);
  const { page, run, write, complaints } = explorer;
  const { accessToken, organizationId } = team.manager;
  await write(
    'request-headers',
    JSON.stringify({ Authorization: `Bearer ${accessToken}`, 'x-organization-id': organizationId }),
  );
  // the name of the first example: GraphiQL learns of another one only after a while
  await write('operation', 'query WhoAmI { events { nodes { name } } viewer { name } }');
  expect((await run('WhoAmI')).data).toMatchObject({ events: { nodes: [{ name: 'Seen' }] } });
  await page.locator('.result-window').getByText('Seen').waitFor();
  await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
  const panel = page.locator('.docExplorerWrap, .graphiql-explorer-root').first();
  await panel.getByText('avatarUrl', { exact: true }).first().click();
  await page.locator('.graphiql-query-editor').getByText('avatarUrl').waitFor();
  expect(foreignRequests(explorer, server.url)).toEqual([]);
  expect(complaints).toEqual([]);
  await explorer.close();
}, 120_000);

test('an operation is shared by its address, and its bar leads to the other pages', async () => {
  const first = await openExplorer(`${server.url}/graphql`);
  await first.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await first.write('operation', 'query Shared($id: ID!) { event(id: $id) { name } }');
  await first.write('variables', '{"id": "x&y"}');
  await first.page.getByRole('button', { name: 'Copy a link to this operation' }).click();
  await first.page.getByRole('button', { name: 'Copied' }).waitFor();
  const address = await first.page.evaluate(() => navigator.clipboard.readText());
  expect(first.complaints).toEqual([]);
  await first.close();
  const other = await openExplorer(address);
  await other.page.locator('.graphiql-query-editor').getByText('Shared').waitFor();
  const sent = other.page.waitForRequest((request) => request.postDataJSON()?.operationName === 'Shared');
  await other.page.getByRole('button', { name: /execute/i }).click();
  expect((await sent).postDataJSON().variables).toEqual({ id: 'x&y' });
  const links = await other.page.getByRole('navigation', { name: 'Other pages' }).getByRole('link').all();
  const targets = await Promise.all(links.map((link) => link.evaluate((a) => (a as HTMLAnchorElement).href)));
  expect(targets).toEqual([`${server.url}/reference`, `${server.url}/docs/`]);
  await other.close();
}, 120_000);

test('its page allows nothing from elsewhere, and only its own script', async () => {
  const response = await fetch(`${server.url}/graphql`, { headers: html });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toContain('private');
  const policy = response.headers.get('content-security-policy') ?? '';
  const text = await response.text();
  const [, source = '', hash = ''] = /<script defer src="([^"]+)" integrity="([^"]+)"/.exec(text) ?? [];
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src '${hash}'`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  const script = await fetch(new URL(source, `${server.url}/graphql`));
  const digest = await crypto.subtle.digest('SHA-256', await script.arrayBuffer());
  expect(hash).toBe(`sha256-${Buffer.from(digest).toString('base64')}`);
});

test('its files may be cached forever, and are sent as the client accepts them', async () => {
  const page = await (await fetch(`${server.url}/graphql`, { headers: html })).text();
  const script = `${server.url}/${/<script defer src="([^"]+)"/.exec(page)?.[1]}`;
  const sizes: number[] = [];
  for (const encoding of ['identity', 'br']) {
    const response = await fetch(script, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toContain('accept-encoding');
    sizes.push(Number(response.headers.get('content-length')));
  }
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(sizes.at(-1)).toBeLessThan(2_000_000);
  for (const name of ['bundle.json', 'other.js', '..%2fpackage.json', '.js', 'explorer.css']) {
    const response = await fetch(`${server.url}/graphql/assets/${name}`);
    expect([name, response.status, response.headers.get('cache-control')]).toEqual([name, 404, null]);
  }
  expect((await fetch(script, { method: 'POST' })).status).toBe(405);
});

test('says which command builds it if it is not built, and needs no restart after that', async () => {
  const app = express().use(
    bundleAssets('/graphql', folder),
    explorerPage({ folder, demo: [], maxCost: 1, twins: { lists: {}, mutations: {}, reads: {}, enums: {} } }),
  );
  const listening = app.listen(0);
  onTestFinished(() => void listening.close());
  const response = await fetch(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/graphql`);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('<pre>npm run explorer</pre>');
});

test('is not served if it is switched off, nor are its files', async () => {
  const plain = await serveInTest({ env: { GRAPHIQL: 'off' } });
  const response = await fetch(`${plain.url}/graphql`, { headers: html });
  expect(response.status).toBe(404);
  const answer = await readAnswer(response);
  expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const page = await (await fetch(`${server.url}/graphql`, { headers: html })).text();
  const script = /<script defer src="([^"]+)"/.exec(page)?.[1];
  expect((await fetch(`${plain.url}/${script}`)).status).toBe(404);
});
