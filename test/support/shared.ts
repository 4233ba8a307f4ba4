import { afterAll } from 'vitest';

/**
 * What all tests of a file use, at its top: `const server = await shared(startTestServer())`. It is closed after the
 * last of them.
 */
export async function shared<Resource extends { close(): unknown } | { drop(): unknown }>(
  starting: Promise<Resource>,
): Promise<Resource> {
  const resource = await starting;
  afterAll(() => ('close' in resource ? resource.close() : resource.drop()));
  return resource;
}
