import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The hash that identifies a document instead of its text. */
export const sha256 = (text: string) => hash('sha256', text, 'hex');

/**
 * Reads a manifest of trusted documents in either common form: an object of texts by id (GraphQL Code Generator, Relay),
 * or Apollo's `{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id", "body"}]}`.
 *
 * @returns the texts by id
 * @throws Error with the name of the file and the reason
 */
export async function readManifest(file: string): Promise<Map<string, string>> {
  const refuse = (fault: string) => new Error(`TRUSTED_DOCUMENTS: ${file} ${fault}`);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(`cannot be read (${error.code})`);
  });
  const entries = entriesOf(parse(text));
  if (!entries) throw refuse('is not a manifest: expected an object of documents by id, or an Apollo manifest');
  return new Map(entries);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function entriesOf(manifest: unknown): [string, string][] | null {
  if (!isObject(manifest)) return null;
  const apollo = manifest.format === 'apollo-persisted-query-manifest' && manifest.version === 1;
  const pairs = apollo
    ? [manifest.operations].flat().map((each) => (isObject(each) ? [each.id, each.body] : []))
    : Object.entries(manifest);
  return pairs.every((pair) => pair.length === 2 && pair.every((part) => typeof part === 'string'))
    ? (pairs as [string, string][])
    : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
