import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parsePrivateKeys } from './private-key.ts';

/** The minimum length of a secret, in characters. */
export const minLength = 32;

export const secretKinds = ['cookie_secrets', 'cursor_secrets', 'encryption_keys', 'jwt_private_keys'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** The variables that override the secrets in the file. */
export const secretVariables: Record<SecretKind, string> = {
  cookie_secrets: 'COOKIE_SECRET',
  cursor_secrets: 'CURSOR_SECRET',
  encryption_keys: 'ENCRYPTION_KEY',
  jwt_private_keys: 'JWT_PRIVATE_KEY',
};

const timestamp = z.iso.datetime().nullable();
const entry = (value: z.ZodType<string>) =>
  z
    .array(
      z.strictObject({
        value,
        /** When it was added; null for secrets from before the file had lists. */
        added_at: timestamp.default(null),
        /** When another secret became the one that signs; null until then. */
        replaced_at: timestamp.default(null),
      }),
    )
    .min(1);

const secret = z.string().min(minLength);
const privateKey = z.string().refine(isOneKey);

const lists = z.strictObject({
  cookie_secrets: entry(secret),
  cursor_secrets: entry(secret),
  /** Absent in the files of earlier versions. */
  encryption_keys: entry(secret).optional(),
  jwt_private_keys: entry(privateKey),
});

/** The file of an earlier version of the service, with one secret of each kind. */
const singles = z
  .strictObject({ cookie_secret: secret, cursor_secret: secret, jwt_private_key: privateKey })
  .transform((file) => ({
    cookie_secrets: [aged(file.cookie_secret)],
    cursor_secrets: [aged(file.cursor_secret)],
    encryption_keys: undefined,
    jwt_private_keys: [aged(file.jwt_private_key)],
  }));

type StoredSecrets = z.output<typeof lists>;
/** The content of `secrets.json`. In each list the first secret signs or encrypts, and all of them verify or decrypt. */
export type KeptSecrets = Required<{ [Kind in SecretKind]: NonNullable<StoredSecrets[Kind]> }>;
export type KeptSecret = KeptSecrets[SecretKind][number];

/**
 * Reads the file, or returns null if it does not exist. A file of an earlier version gets the kinds that it lacks.
 *
 * @throws Error if the file is not a secrets file, or cannot be completed
 */
export async function openSecretsFile(file: string): Promise<KeptSecrets | null> {
  const stored = await readSecretsFile(file);
  return stored && (completed(stored) ?? (await completeSecretsFile(file, stored)));
}

function completed({ encryption_keys, ...others }: StoredSecrets): KeptSecrets | null {
  return encryption_keys ? { ...others, encryption_keys } : null;
}

/**
 * Adds the encryption keys to a file of an earlier version. Concurrent processes agree on one list: the first to create
 * `secrets.json.added` decides. Whoever finds the list of a later process there finds the file complete as well.
 */
async function completeSecretsFile(file: string, stored: StoredSecrets): Promise<KeptSecrets> {
  const added = `${file}.added`;
  await linkDraft(added, { ...stored, encryption_keys: [newSecret('encryption_keys', new Date())] });
  const agreed = await readSecretsFile(added);
  const current = await readSecretsFile(file);
  const finished = current && completed(current);
  const complete = finished ?? (agreed && completed(agreed));
  if (!complete) throw new Error(`${file} was changed while it was being completed.`);
  if (!finished) await writeSecretsFile(file, complete);
  await unlink(added).catch(() => undefined);
  return complete;
}

async function readSecretsFile(file: string): Promise<StoredSecrets | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    return z.union([lists, singles]).parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is not a valid secrets file. If you remove it, the service creates new secrets.`);
  }
}

/** Creates the file with new secrets. Concurrent processes agree on one file. */
export async function makeSecretsFile(file: string): Promise<KeptSecrets> {
  const now = new Date();
  const made = Object.fromEntries(secretKinds.map((kind) => [kind, [newSecret(kind, now)]]));
  await mkdir(path.dirname(file), { recursive: true });
  await linkDraft(file, made);
  const kept = await openSecretsFile(file);
  if (!kept) throw new Error(`${file} was removed while it was being created.`);
  return kept;
}

/** Creates a file unless it exists: a link is atomic and, unlike a rename, never replaces an existing file. */
async function linkDraft(file: string, content: unknown): Promise<void> {
  await withDraft(file, content, (draft) =>
    link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    }),
  );
}

/** Replaces the file atomically. */
export async function writeSecretsFile(file: string, secrets: KeptSecrets): Promise<void> {
  await withDraft(file, secrets, (draft) => rename(draft, file));
}

/** A new secret of a kind. */
export function newSecret(kind: SecretKind, now: Date): KeptSecret {
  const value =
    kind === 'jwt_private_keys'
      ? generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      : randomBytes(32).toString('base64url');
  return { value, added_at: now.toISOString(), replaced_at: null };
}

/** A new secret as the value of an environment variable, on one line. */
export function environmentForm(kind: SecretKind): string {
  const { value } = newSecret(kind, new Date());
  return kind === 'jwt_private_keys' ? `"${value.trim().replaceAll('\n', '\\n')}"` : value;
}

/**
 * Writes a temporary file beside the target, readable only by the owner and synced to disk, and passes it to `place`.
 */
async function withDraft(file: string, content: unknown, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await place(draft);
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(draft).catch(() => undefined);
  }
}

function aged(value: string): KeptSecret {
  return { value, added_at: null, replaced_at: null };
}

function isOneKey(value: string): boolean {
  try {
    return parsePrivateKeys(value).length === 1;
  } catch {
    return false;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
