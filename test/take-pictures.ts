import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { readyUrl } from './support/ready-url.ts';

// npm run pictures: takes the pictures of docs/reference/pages.md, from the demo of a new service. Its days begin today, so each run
// shows others.

const root = path.join(import.meta.dirname, '..');
const dataDir = await mkdtemp(path.join(tmpdir(), 'events-gateway-pictures-'));
const child = spawn(process.execPath, [path.join(root, 'src/main/server.ts')], {
  // what readers see is the address of their own first start
  env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: 'http://localhost:3000' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await readyUrl(child);
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
try {
  const list = await (await fetch(`${url}/o/demo`)).text();
  const event = /href="demo\/(sourdough[^"]*)"/.exec(list)?.[1];
  for (const [name, at] of Object.entries({ 'public-list': '/o/demo', 'public-event': `/o/demo/${event}` })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 900, height: 900 } });
      await page.goto(url + at);
      await page.screenshot({ path: path.join(root, 'docs/images', `${name}-${colorScheme}.png`) });
    }
  }
} finally {
  await browser.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}
