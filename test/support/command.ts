import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnv, findProgram } from './programs.ts';

/** Runs a command at a terminal (by the `script` of util-linux), at which somebody answers its only question. Returns its exit code and what was to be seen. */
export async function typeCommand(name: string, args: string[], env: Record<string, string>, answer: string) {
  const line = [process.execPath, `src/commands/${name}.ts`, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(findProgram('script') as string, ['-qec', line, '/dev/null'], { env: { ...childEnv, ...env } });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('Type the name')) child.stdin.write(`${answer}\n`);
    screen += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, screen };
}

/** Runs a command of `src/commands` to its end, with nobody at a terminal. */
export async function runCommand(name: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [`src/commands/${name}.ts`, ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}
