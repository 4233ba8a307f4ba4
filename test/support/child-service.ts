import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A service in a process of its own. */
export interface ChildService {
  url: string;
  /** Ends the process as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts one on a database, with the settings of a test and those given; the same secrets make it a replica. */
export async function startChildService(env: Record<string, string>): Promise<ChildService> {
  const script = fileURLToPath(import.meta.resolve('./serve.ts'));
  const child: ChildProcess = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', PORT: '0', PUBLIC_URL: 'http://events.test', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const exited = once(child, 'exit');
  const [url] = (await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`))),
  ])) as [string];
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
