import type { ChildProcess } from 'node:child_process';

/**
 * Where a service listens that was started as a process.
 *
 * @param said gets what it writes, as it comes
 * @throws Error with what it wrote, if it ends before it is ready
 */
export async function readyUrl(child: ChildProcess, said = (_piece: string): void => undefined): Promise<string> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
      said(String(chunk));
    });
  }
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, url] = /"ready on (http:[^"]+)"/.exec(text) ?? [];
      if (url) resolve(url);
    });
    child.once('close', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
  });
}
