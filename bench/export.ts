import { get } from 'node:http';
import type { PoolClient } from 'pg';
import { withClient } from '../src/db/client.ts';
import type { RunningPeer } from './peers.ts';
import { residentMemory, treeCpu } from './processes.ts';

/** The figures of an export. */
export interface Exported {
  rows: number;
  rowsPerSecond: number;
  megabytes: number;
  /** The maximum resident memory of the server during the export, in MB. */
  memory: number;
  /** Server CPU per row, in µs. */
  serverCpu: number;
}

/** Exports every event of the organization as CSV, and reads it as fast as it arrives. */
export async function exportFrom({ url, headers, pid }: RunningPeer): Promise<Exported> {
  let lines = 0;
  let bytes = 0;
  let memory = residentMemory(pid);
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMemory(pid));
  }, 50);
  const cpu = treeCpu(pid);
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const request = get(`${url}/events/export?format=csv`, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the export answers ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        // generated texts have no line breaks
        lines += countLines(chunk);
      });
      response.on('error', reject).on('end', resolve);
    });
    request.on('error', reject);
  }).finally(() => clearInterval(watch));
  const seconds = (performance.now() - begun) / 1000;
  const rows = lines - 1;
  const serverCpu = ((treeCpu(pid) - cpu) * 1000) / rows;
  return { rows, rowsPerSecond: rows / seconds, megabytes: bytes / 2 ** 20, memory, serverCpu };
}

/** Copies the same rows by `COPY … TO STDOUT`, which this process only reads. */
export async function copyOut(url: string, organization: string): Promise<Pick<Exported, 'rows' | 'rowsPerSecond'>> {
  return await withClient(url, async (client: PoolClient) => {
    const begun = performance.now();
    const rows = await new Promise<number>((resolve, reject) => {
      client.query(
        new CopyOut(
          `copy (select * from event where organization_id = '${organization}' order by date_start, id) to stdout (format csv, header)`,
          (error, lines) => (error ? reject(error) : resolve(lines - 1)),
        ) as never,
      );
    });
    return { rows, rowsPerSecond: rows / ((performance.now() - begun) / 1000) };
  });
}

/** A statement for the driver that counts the lines of a copy. */
class CopyOut {
  readonly #text: string;
  #lines = 0;
  callback: (error: Error | null, lines: number) => void;

  constructor(text: string, callback: (error: Error | null, lines: number) => void) {
    this.#text = text;
    this.callback = callback;
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#lines += countLines(chunk);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null, this.#lines);
  }

  handleError(error: Error): void {
    this.callback(error, 0);
  }
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
