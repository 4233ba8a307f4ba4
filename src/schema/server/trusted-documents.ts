import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/**
 * Reads a manifest of trusted documents, by id: an object of texts (GraphQL Code Generator, Relay), or Apollo's format.
 *
 * @throws Error with the name of the file and the reason
 */
export async function readManifest(file: string): Promise<Map<string, string>> {
  const refuse = (fault: string) => new Error(`TRUSTED_DOCUMENTS: ${file} ${fault}`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(`cannot be read (${error.code})`);
  });
  const { data } = manifest.safeParse(parseJson(text));
  if (!data) throw refuse('is not a manifest: expected an object of documents by id, or an Apollo manifest');
  return new Map(data);
}

const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

const manifest = z.union([
  apolloManifest.transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((texts) => Object.entries(texts)),
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
