import { randomUUID } from 'node:crypto';
import { secretsPath } from '../config/secrets.ts';
import {
  environmentForm,
  type KeptSecrets,
  newSecret,
  readSecretsFile,
  type SecretKind,
  secretKinds,
  secretVariables,
  writeSecretsFile,
} from '../config/secrets-file.ts';
import { readCommandSettings } from '../config/settings.ts';
import { ServiceDatabase } from '../db/access/service-database.ts';
import { hasCluster } from '../db/embedded/cluster.ts';
import { openDatabase } from '../db/open.ts';
import { createOrm } from '../db/orm.ts';
import { endAllSessions } from '../domain/session/end-all-sessions.ts';

const signInAgain = 'All sessions and their access tokens end: everyone must sign in again.';
const costs: Record<SecretKind, string> = {
  cookie_secrets: signInAgain,
  cursor_secrets:
    'All cursors become invalid: clients in the middle of a list get INVALID_CURSOR and must start at the first page.',
  jwt_private_keys:
    'All access tokens become invalid: clients get new ones with their refresh tokens, and nobody is signed out.',
};

/**
 * Revokes secrets that leaked, and prints the consequences. Secrets in the file are replaced, and a running service
 * reloads it. Secrets from the environment cannot be changed by a command, so all sessions are ended instead, which
 * takes effect in every process at once.
 * It changes nothing if there are no secrets or no database: it is then running in the wrong environment, and apparent
 * success would leave the leaked secrets in use elsewhere.
 *
 * @param given the kinds that come from the environment
 * @throws Error that says what remains to be done
 */
export async function revoke(kinds: SecretKind[], { dataDir, given }: { dataDir: string; given: SecretKind[] }) {
  const endsSessions =
    kinds.includes('cookie_secrets') || given.some((kind) => isForgeable(kind) && kinds.includes(kind));
  const kept = kinds.filter((kind) => !given.includes(kind));
  const file = secretsPath(dataDir);
  const old = kept.length > 0 ? await readKept(file) : null;
  if (endsSessions) requireDatabase();
  const consequences = kinds.map((kind) => (endsSessions && isForgeable(kind) ? signInAgain : costs[kind]));
  for (const cost of new Set(consequences)) console.log(cost);
  if (old) {
    await replace(file, old, kept);
    console.log(`Replaced under ${dataDir}: ${kept.join(', ')}. A running service uses the new ones within seconds.`);
  }
  for (const kind of kinds.filter((each) => given.includes(each))) {
    console.log(`${secretVariables[kind]} is set in the environment. Replace its whole value with the one below and restart every process now:
until then the processes still sign with the old secret and accept it.
${environmentForm(kind)}`);
  }
  if (endsSessions) console.log(await endSessions(kinds));
}

/**
 * Whether a secret of this kind lets its holder impersonate others; a forged cursor shows only what they may see
 * anyway.
 */
function isForgeable(kind: SecretKind): boolean {
  return kind !== 'cursor_secrets';
}

async function readKept(file: string): Promise<KeptSecrets> {
  const kept = await readSecretsFile(file);
  if (kept) return kept;
  throw new Error(
    `Nothing was revoked: ${file} does not exist. Run this with the environment of the service, in particular its DATA_DIR.`,
  );
}

/** Checked first, since opening the embedded database would create one. */
function requireDatabase(): void {
  const { url, dataDir } = readCommandSettings().database;
  if (url !== null || hasCluster(dataDir)) return;
  throw new Error(
    `Nothing was revoked: there is no database under ${dataDir} to end the sessions in. Run this with the environment of the service, in particular its DATABASE_URL or DATA_DIR.`,
  );
}

async function replace(file: string, old: KeptSecrets, kinds: SecretKind[]): Promise<void> {
  const now = new Date();
  await writeSecretsFile(file, { ...old, ...Object.fromEntries(kinds.map((kind) => [kind, [newSecret(kind, now)]])) });
}

async function endSessions(kinds: SecretKind[]): Promise<string> {
  try {
    const settings = readCommandSettings().database;
    const database = await openDatabase(settings, console.error);
    const orm = await createOrm({ url: database.directUrl, statementTimeout: 0, idleInTransactionTimeout: 0 });
    try {
      const client = { ip: null, userAgent: null, requestId: randomUUID() };
      const count = await endAllSessions(
        { db: new ServiceDatabase(orm), client },
        secretKinds.filter((kind) => kinds.includes(kind)),
      );
      return `${count} sessions ended in the database of ${settings.url === null ? settings.dataDir : 'DATABASE_URL'}.`;
    } finally {
      await orm.close(true);
      await database.close();
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The sessions were not ended; run this again: ${reason}`, { cause });
  }
}
