import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

type Ending = { close(): unknown } | { drop(): unknown } | { kill(): unknown } | { stop(): unknown };

/**
 * What all tests of a file use, at its top: `const server = await shared(startTestServer())`. It is closed after the
 * last of them, before what was made before it.
 */
export async function shared<Resource extends Ending>(starting: Promise<Resource>): Promise<Resource> {
  const resource = await starting;
  afterAll(() => {
    if ('close' in resource) return resource.close();
    if ('drop' in resource) return resource.drop();
    return 'kill' in resource ? resource.kill() : resource.stop();
  });
  return resource;
}

/** A folder that is removed after the last test of a file; PostgreSQL reaches it as another user, too. */
export async function sharedFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-test-'));
  await chmod(folder, 0o755);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
