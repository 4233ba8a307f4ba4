import { randomUUID } from 'node:crypto';
import { PostgresDatabase } from '#postgres-access';
import { secretsPath } from '../config/secrets.ts';
import {
  environmentForm,
  type KeptSecrets,
  newSecret,
  openSecretsFile,
  type SecretKind,
  secretKinds,
  secretVariables,
  writeSecretsFile,
} from '../config/secrets-file.ts';
import { readCommandSettings } from '../config/settings.ts';
import { hasEmbedded } from '../db/embedded.ts';
import { openDatabase } from '../db/open.ts';
import { createOrm } from '../db/orm.ts';
import { endAllSessions } from '../domain/session/end-all-sessions.ts';
import { resealSecrets } from '../domain/webhook/webhook-secrets.ts';
import type { Database } from '../engine/database.ts';
import { TextSealer } from '../kernel/sealed-text.ts';

const signInAgain = 'All sessions and their access tokens end: everyone must sign in again.';
const costs: Record<SecretKind, string> = {
  cookie_secrets: signInAgain,
  cursor_secrets:
    'All cursors become invalid: clients in the middle of a list get INVALID_CURSOR and start at the first page; copies that follow the changes begin again. Webhooks are not affected.',
  encryption_keys:
    'Responses with a secret that are stored for an Idempotency-Key become unreadable: a retry gets CONFLICT instead. Secrets of webhooks are encrypted again; if the database leaked as well, make new ones.',
  jwt_private_keys:
    'All access tokens become invalid: clients get new ones with their refresh tokens, and nobody is signed out.',
};

/**
 * Revokes leaked secrets and prints the consequences. A running service reloads the secrets of the file. Those from the
 * environment cannot be replaced, so all sessions end instead. Fails without secrets or a database: in the wrong
 * environment, apparent success would leave the leaked secrets in use.
 *
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
    const replaced = await replace(file, old, kept);
    console.log(`Replaced under ${dataDir}: ${kept.join(', ')}. A running service uses the new ones within seconds.`);
    if (kept.includes('encryption_keys')) await encryptAgain(old, replaced);
  }
  for (const kind of kinds.filter((each) => given.includes(each))) {
    console.log(`${secretVariables[kind]} is set in the environment. Replace its whole value with the one below and restart every process now:
until then the processes still sign with the old secret and accept it.
${environmentForm(kind)}`);
  }
  if (endsSessions) console.log(await endSessions(kinds));
}

/** Whether its holder could impersonate others. Cursors only reach rows that the viewer may see; keys need the database. */
function isForgeable(kind: SecretKind): boolean {
  return kind === 'cookie_secrets' || kind === 'jwt_private_keys';
}

async function readKept(file: string): Promise<KeptSecrets> {
  const kept = await openSecretsFile(file);
  if (kept) return kept;
  throw new Error(
    `Nothing was revoked: ${file} does not exist. Run this with the environment of the service, in particular its DATA_DIR.`,
  );
}

/** Checked first, since opening the embedded database would create one. */
function requireDatabase(): void {
  const { url, dataDir } = readCommandSettings().database;
  if (url !== null || hasEmbedded(dataDir)) return;
  throw new Error(
    `Nothing was revoked: there is no database under ${dataDir} to end the sessions in. Run this with the environment of the service, in particular its DATABASE_URL or DATA_DIR.`,
  );
}

async function replace(file: string, old: KeptSecrets, kinds: SecretKind[]): Promise<KeptSecrets> {
  const now = new Date();
  const replaced = { ...old, ...Object.fromEntries(kinds.map((kind) => [kind, [newSecret(kind, now)]])) };
  await writeSecretsFile(file, replaced);
  return replaced;
}

/** Only a process that still has the old key can encrypt the secrets of webhooks with the new one. */
async function encryptAgain(old: KeptSecrets, replaced: KeptSecrets): Promise<void> {
  const { url, dataDir } = readCommandSettings().database;
  if (url === null && !hasEmbedded(dataDir)) return;
  const sealerOf = ({ encryption_keys: keys }: KeptSecrets) => new TextSealer(keys.map(({ value }) => value));
  try {
    await withDatabase((db) => resealSecrets(db, sealerOf(replaced), sealerOf(old)));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    console.log(`The secrets of webhooks are encrypted again only by a service that is running now: ${reason}`);
  }
}

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(readCommandSettings().database, console.error);
  const { directUrl: url } = database;
  const orm = await createOrm({ url, statementTimeout: 0, idleInTransactionTimeout: 0 });
  try {
    return await work(new PostgresDatabase(orm));
  } finally {
    await orm.close(true);
    await database.close();
  }
}

async function endSessions(kinds: SecretKind[]): Promise<string> {
  try {
    const { url, dataDir } = readCommandSettings().database;
    const client = { ip: null, userAgent: null, requestId: randomUUID() };
    const named = secretKinds.filter((kind) => kinds.includes(kind));
    const count = await withDatabase((db) => endAllSessions({ db, client }, named));
    return `${count} sessions ended in the database of ${url === null ? dataDir : 'DATABASE_URL'}.`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The sessions were not ended; run this again: ${reason}`, { cause });
  }
}
