import { unwatchFile, watchFile } from 'node:fs';
import { combineSecrets, type GivenSecrets, isComplete, type Secrets, secretsPath } from './secrets.ts';
import { openSecretsFile } from './secrets-file.ts';

/** Milliseconds between two checks of the file. */
const interval = 1_000;

/** Receives the results of watching the secrets file. */
export interface SecretsListener {
  /** Receives the current secrets: once at the start, and after every change of the file. */
  onSecrets(secrets: Secrets): void;
  /** Receives the reason if the file cannot be read; the previous secrets stay in use. */
  onFailure(error: unknown): void;
}

/**
 * Watches the secrets under `dataDir`, so that a running process stops trusting secrets that `npm run keys -- revoke`
 * removed, and starts trusting those that a rotation added.
 *
 * @returns a function that stops watching
 */
export function watchSecrets(given: GivenSecrets, dataDir: string, listener: SecretsListener): () => void {
  if (isComplete(given)) return () => undefined;
  const file = secretsPath(dataDir);
  const read = async () => {
    try {
      const kept = await openSecretsFile(file);
      if (!kept) throw new Error(`${file} no longer exists.`);
      listener.onSecrets(combineSecrets(given, kept));
    } catch (error) {
      listener.onFailure(error);
    }
  };
  const onChange = () => void read();
  watchFile(file, { interval, persistent: false }, onChange);
  // the file may have changed since it was read at the start
  onChange();
  return () => unwatchFile(file, onChange);
}
