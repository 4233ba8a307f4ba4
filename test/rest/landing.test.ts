import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { demoOrganizationId, demoPassword, ensureDemo } from '../../src/db/demo/demo.ts';
import { buildDocuments } from '../support/builds.ts';
import { password } from '../support/fixtures.ts';
import { createTeam, serve, serveInTest } from '../support/server.ts';

await buildDocuments();
const server = await serve();

const ask = (accept: string) => fetch(server.url, { headers: { accept } });

describe('GET /', () => {
  it('is a page for a browser, whose links lead somewhere', async () => {
    const response = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toMatch(/accept/i);
    const text = await response.text();
    const paths = [...text.matchAll(/href="(?!data:|#)([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(expect.arrayContaining(['graphql', 'openapi.json', 'docs/contribute/']));
    for (const path of paths) {
      const target = await fetch(`${server.url}/${path}`, { headers: { accept: 'text/html' } });
      expect(target.status, path).toBe(200);
      await target.body?.cancel();
    }
  });

  it.each(['application/json', '*/*'])('is the same as links for `Accept: %s`', async (accept) => {
    const response = await ask(accept);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({
      name: 'Events Gateway',
      links: { graphql: 'http://events.test/graphql', openapi: 'http://events.test/openapi.json' },
    });
  });

  /** What the commands of the page print, run one after the other in one shell. */
  async function runPage(url: string, env: Record<string, string>): Promise<string[]> {
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const commands = [...page.matchAll(/<pre tabindex="0">([^<]+)<\/pre>/g)].map(([, text = '']) =>
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
        .replaceAll('http://events.test', url)
        // streams do not end by themselves
        .replace(/^curl/, 'timeout 2 curl'),
    );
    const script = commands.map((command) => `${command}\necho '<end>'`).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    return stdout
      .split('<end>')
      .slice(0, -1)
      .map((each) => each.trim());
  }

  function expectAnswers(said: string[], events: unknown[], name: string): void {
    const [signIn = 'x', list = '', graphql = '', stream = '', ready = '', key = '', feed = '', webhook = ''] = said;
    expect(said).toHaveLength(8);
    expect(signIn).toBe('');
    expect(JSON.parse(list).items).toEqual(events);
    for (const { date_start: start } of JSON.parse(list).items) expect(Date.parse(start)).toBeGreaterThan(Date.now());
    expect(JSON.parse(graphql).data).toMatchObject({ viewer: { name }, events: { nodes: { length: events.length } } });
    expect(stream).toContain('event: caught-up');
    expect(JSON.parse(ready)).toEqual({ ready: true, database: 'reachable' });
    expect(JSON.parse(key)).toMatchObject({ secret: expect.stringMatching(/^evk_/) });
    expect(JSON.parse(feed)).toMatchObject({ next: expect.any(String) });
    expect(JSON.parse(webhook)).toMatchObject({ status: 'active', secret: expect.stringMatching(/^whsec_/) });
  }

  it('shows commands that run with an account of the reader', async () => {
    const { owner, organizationId } = await createTeam(server);
    const said = await runPage(server.url, { EMAIL: owner.email, PASSWORD: password, ORGANIZATION: organizationId });
    expectAnswers(said, [], 'A owner');
  });

  it('shows commands that run as they are where there is a demo, and links to its page', async () => {
    const owner = { email: 'owner@demo.example', password: demoPassword, organization: demoOrganizationId };
    const own = await serveInTest({ demoAccounts: [{ role: 'owner', ...owner }] });
    await ensureDemo(own.orm);
    const event = { name: expect.any(String), date_start: expect.any(String) };
    expectAnswers(await runPage(own.url, {}), [event, event, event], 'Olivia Owner');
    const page = await (await fetch(own.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('href="o/demo"');
    expect((await fetch(`${own.url}/o/demo`)).status).toBe(200);
  });

  it('leads each reader to what they read next', async () => {
    const text = await (await ask('text/html')).text();
    const sections = text.split('<section ').slice(1);
    expect(sections.map((each) => /<h2[^>]*>([^<]+)/.exec(each)?.[1])).toEqual([
      ...['Call the REST API', 'Build a frontend', 'Operate the service', 'Connect another system'],
    ]);
    const expected = [
      ['reference', 'openapi.json', 'errors', 'docs/guides/integrate-a-server'],
      ['graphql', 'docs/guides/build-a-browser-client'],
      ['docs/operate/install', 'docs/operate/', 'docs/operate/configure', 'docs/contribute/'],
      ['docs/reference/api-keys', 'docs/reference/changes', 'docs/reference/webhooks'],
    ];
    for (const [index, paths] of expected.entries()) {
      const links = [...(sections[index] ?? '').matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
      expect(links).toEqual(expect.arrayContaining(paths));
    }
  });
});
