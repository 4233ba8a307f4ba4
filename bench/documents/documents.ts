import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Who prints a document: nobody, Apollo's cache, or Relay's compiler. */
export const clients = ['bare', 'apollo', 'relay'] as const;
export type Client = (typeof clients)[number];

export type DocumentName = 'Events' | 'Subscribers' | 'EventsWithSubscribers';

/** The text of a document as the client sends it to a peer; see `print.mjs`. */
export function documentText(peer: 'gateway' | 'postgraphile', name: DocumentName, client: Client): string {
  const [folder, file] = client === 'bare' ? ['sources', name] : ['printed', `${name}.${client}`];
  return readFileSync(path.join(import.meta.dirname, folder, peer, `${file}.graphql`), 'utf8');
}
