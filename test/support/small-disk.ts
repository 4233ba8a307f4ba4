import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export type SmallDisk = NonNullable<Awaited<ReturnType<typeof mountSmallDisk>>>;

const run = promisify(execFile);

/** Mounts a file system in memory, which a test can fill without harm to others; null where this process may not mount. */
export async function mountSmallDisk(megabytes: number) {
  const dir = await mkdtemp(path.join(tmpdir(), 'events-gateway-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', dir]);
  } catch {
    await rmdir(dir);
    return null;
  }
  const ballast = path.join(dir, 'ballast');
  return {
    dir,
    /** Takes all space that is left. */
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        for (const bytes of [1 << 20, 1 << 12]) await append(file, Buffer.alloc(bytes));
      } finally {
        await file.close();
      }
    },
    /** Gives back what `fill` took. */
    free: () => rm(ballast, { force: true }),
    close: async () => {
      await run('umount', ['--lazy', dir]);
      await rmdir(dir);
    },
  };
}

/** Appends until nothing more fits. */
async function append(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.write(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
