import { afterAll } from 'vitest';

/**
 * What all tests of a file use, at its top: `const server = await shared(startTestServer())`. It is closed after the
 * last of them.
 */
export async function shared<Resource extends { close(): unknown }>(starting: Promise<Resource>): Promise<Resource> {
  const resource = await starting;
  afterAll(() => resource.close());
  return resource;
}
