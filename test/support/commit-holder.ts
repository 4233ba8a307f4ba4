import { startBreakable } from './breakable.ts';

/** A way to a database on which the answer to a commit can be kept back. */
export async function startCommitHolder(databaseUrl: string) {
  let armed: { text: string; committed: () => void } | null = null;
  const way = await startBreakable(databaseUrl, (client, upstream) => {
    let held: (() => void) | null = null;
    let untold = '';
    let sent = '';
    return {
      toServer: (bytes) => {
        sent += bytes.toString('latin1');
        // a simple query is the letter Q, its length, and its text with a zero at the end; others may come right before it
        if (/Q....(commit|rollback)\0$/is.test(sent)) {
          if (armed && /commit\0$/i.test(sent) && sent.includes(armed.text)) {
            held = armed.committed;
            armed = null;
          }
          sent = '';
        }
        upstream.write(bytes);
      },
      toClient: (bytes) => {
        if (!held) {
          client.write(bytes);
          return;
        }
        // answers to what came before the commit are kept back with its own
        untold += bytes.toString('latin1');
        if (untold.includes('COMMIT\0')) held();
      },
    };
  });
  return {
    ...way,
    /**
     * Keeps back the answer to the commit of the next transaction that sends a text, in a statement or as a parameter; jobs
     * of the process may commit meanwhile. Resolves once the database has committed: what answered is never told.
     */
    holdCommitOf: (text: string) =>
      new Promise<void>((resolve) => {
        armed = { text, committed: resolve };
      }),
  };
}
