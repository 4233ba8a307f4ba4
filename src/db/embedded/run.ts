import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Launch } from './account.ts';

/**
 * Runs a PostgreSQL program.
 *
 * @throws Error with the output of the program
 */
export async function run(launch: Launch, program: string, args: string[]): Promise<void> {
  const [command = program, ...rest] = [...launch.prefix, program, ...args];
  const child = spawn(command, rest, { ...launch.options, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const status = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  if (status !== 0) throw new Error(`${path.basename(program)} failed (${status}): ${output.trim()}`);
}
