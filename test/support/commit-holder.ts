import { type DatabasePassage, listenBefore } from './database-passage.ts';

/** A way to a database on which the answer to a commit can be kept back. */
export interface CommitHolder extends DatabasePassage {
  /** Keeps back the answer to the next commit. Resolves once the database has committed: what answered is never told. */
  holdNextCommit(): Promise<void>;
}

/** Passes bytes on to the server of a URL. */
export async function startCommitHolder(databaseUrl: string): Promise<CommitHolder> {
  let armed: (() => void) | null = null;
  const passage = await listenBefore(databaseUrl, (client, upstream) => {
    let held: (() => void) | null = null;
    let untold = '';
    client.on('data', (bytes) => {
      // a simple query is the letter Q, its length, and its text with a zero at the end; others may come right before it
      if (armed && /Q....commit\0$/is.test(bytes.toString('latin1'))) {
        held = armed;
        armed = null;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!held) {
        client.write(bytes);
        return;
      }
      // answers to what came before the commit are kept back with its own
      untold += bytes.toString('latin1');
      if (untold.includes('COMMIT\0')) held();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return {
    ...passage,
    holdNextCommit: () =>
      new Promise((resolve) => {
        armed = resolve;
      }),
  };
}
