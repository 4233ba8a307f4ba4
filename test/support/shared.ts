import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

type Ending =
  | { close(): unknown }
  | { drop(): unknown }
  | { end(): unknown }
  | { kill(): unknown }
  | { stop(): unknown };

/** Ends what is shared in the file that runs. */
const endings = new Set<() => unknown>();

function endAfterAll(end: () => unknown): void {
  endings.add(end);
  afterAll(() => {
    endings.delete(end);
    return end();
  });
}

/** Ends what no hook has ended, what was made last first. */
export async function closeShared(): Promise<void> {
  for (const end of [...endings].reverse()) await end();
  endings.clear();
}

/**
 * What all tests of a file use, at its top: `const server = await shared(startTestServer())`. It is closed after the
 * last of them, before what was made before it.
 */
export async function shared<Resource extends Ending>(starting: Promise<Resource>): Promise<Resource> {
  const resource = await starting;
  endAfterAll(() => end(resource));
  return resource;
}

function end(resource: Ending): unknown {
  if ('close' in resource) return resource.close();
  if ('drop' in resource) return resource.drop();
  if ('end' in resource) return resource.end();
  return 'kill' in resource ? resource.kill() : resource.stop();
}

/** What one test uses, which may be made before it. It is closed after the test, before what was made before it. */
export async function inTest<Resource extends Ending>(starting: Promise<Resource>): Promise<Resource> {
  const resource = await starting;
  onTestFinished(async () => void (await end(resource)));
  return resource;
}

/** A folder that PostgreSQL reaches as another user, too. */
async function makeFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'events-gateway-test-'));
  await chmod(folder, 0o755);
  return { folder, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** A folder that is removed after the last test of a file. */
export const sharedFolder = async (): Promise<string> => (await shared(makeFolder())).folder;

/** A folder that is removed after the test. */
export const folderInTest = async (): Promise<string> => (await inTest(makeFolder())).folder;
