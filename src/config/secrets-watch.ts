import { unwatchFile, watchFile } from 'node:fs';
import { combineSecrets, type GivenSecrets, isComplete, type Secrets, secretsPath } from './secrets.ts';
import { openSecretsFile } from './secrets-file.ts';

/** Milliseconds between two checks of the file. */
const interval = 1_000;

export interface SecretsListener {
  /** Called once at the start, and after every change of the file. */
  onSecrets(secrets: Secrets): void;
  /** Called if the file cannot be read; the previous secrets stay in use. */
  onFailure(error: unknown): void;
}

/** Lets a running process follow rotations and revocations of secrets, until the returned function is called. */
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
