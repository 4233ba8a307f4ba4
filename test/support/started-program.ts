import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.ts';

interface Program extends Pick<SpawnOptions, 'uid' | 'gid'> {
  /** What it reads, in a folder of its own. */
  configuration(dir: string): string;
  arguments(file: string): string[];
  /** Whether it serves; asked until it does. */
  isReady(): Promise<boolean>;
  end?: NodeJS.Signals;
}

/** Starts an installed program, and waits until it serves. */
export async function startProgram(name: string, program: Program) {
  const { configuration, arguments: argumentsOf, isReady, end = 'SIGTERM', ...options } = program;
  const dir = await mkdtemp(path.join(tmpdir(), `events-gateway-${name}-`));
  const file = path.join(dir, 'configuration');
  await writeFile(file, configuration(dir));
  // it may run as another user
  await Promise.all([chmod(dir, 0o755), chmod(file, 0o644)]);
  const child = spawn(findProgram(name) as string, argumentsOf(file), { cwd: dir, ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill(end)) await exited;
    await rm(dir, { recursive: true, force: true });
  };
  const latest = performance.now() + 30_000;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > latest) {
      await stop();
      throw new Error(`${name} does not serve: ${output}`);
    }
    await sleep(50);
  }
  return { dir, output: () => output, stop };
}
