import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { childEnv } from '../support/child-env.ts';
import { pageExamples } from '../support/example-page.ts';
import { freePort } from '../support/free-port.ts';

const root = path.join(import.meta.dirname, '..', '..');

it('what the compiler of Relay makes is committed; run `npm run build -w examples/relay` if this fails', async () => {
  const command = ['exec', '-w', 'examples/relay', '--', 'relay-compiler', '--validate'];
  await promisify(execFile)('npm', command, { cwd: root, env: childEnv });
});

it.each(pageExamples)('examples/%s: one command starts it', async (name) => {
  const port = await freePort();
  const command = ['start', '-w', `examples/${name}`, '--', '--port', String(port)];
  // a group of its own, since npm does not end what it has started
  const child = spawn('npm', command, { cwd: root, env: childEnv, detached: true, stdio: 'ignore' });
  try {
    const ask = (file: string) => fetch(`http://localhost:${port}${file}`).catch(() => null);
    await expect.poll(async () => (await ask('/'))?.status).toBe(200);
    const script = await ask('/src/main.tsx');
    expect(script?.headers.get('content-type')).toContain('javascript');
    expect(await script?.text()).toContain('Events with');
  } finally {
    process.kill(-(child.pid as number));
    await once(child, 'exit');
  }
});
