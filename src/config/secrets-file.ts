import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parsePrivateKeys } from './private-key.ts';

/** In characters. */
export const minLength = 32;

export const secretKinds = ['cookie_secrets', 'cursor_secrets', 'encryption_keys', 'jwt_private_keys'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** The variables that override the file. */
export const secretVariables: Record<SecretKind, string> = {
  cookie_secrets: 'COOKIE_SECRET',
  cursor_secrets: 'CURSOR_SECRET',
  encryption_keys: 'ENCRYPTION_KEY',
  jwt_private_keys: 'JWT_PRIVATE_KEY',
};

const entry = (value: z.ZodType<string>) =>
  z
    .array(
      z.strictObject({
        value,
        added_at: z.iso.datetime(),
        /** When another secret began to sign. */
        replaced_at: z.iso.datetime().nullable(),
      }),
    )
    .min(1);

const secret = z.string().min(minLength);
const privateKey = z.string().refine(isOneKey);

const lists = z.strictObject({
  cookie_secrets: entry(secret),
  cursor_secrets: entry(secret),
  encryption_keys: entry(secret),
  jwt_private_keys: entry(privateKey),
});

/** The content of `secrets.json`. In each list the first secret signs or encrypts, and all of them verify or decrypt. */
export type KeptSecrets = z.output<typeof lists>;
export type KeptSecret = KeptSecrets[SecretKind][number];

/** Null if the file does not exist. @throws Error if it is not a secrets file */
export async function openSecretsFile(file: string): Promise<KeptSecrets | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    return lists.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is not a valid secrets file. If you remove it, the service creates new secrets.`);
  }
}

/** Creates the file with new secrets. Concurrent processes agree on one file. */
export async function makeSecretsFile(file: string): Promise<KeptSecrets> {
  const now = new Date();
  const made = Object.fromEntries(secretKinds.map((kind) => [kind, [newSecret(kind, now)]]));
  await mkdir(path.dirname(file), { recursive: true });
  // a link is atomic and, unlike a rename, never replaces an existing file
  await withDraft(file, made, (draft) =>
    link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    }),
  );
  const kept = await openSecretsFile(file);
  if (!kept) throw new Error(`${file} was removed while it was being created.`);
  return kept;
}

/** Replaces the file atomically. */
export async function writeSecretsFile(file: string, secrets: KeptSecrets): Promise<void> {
  await withDraft(file, secrets, (draft) => rename(draft, file));
}

export function newSecret(kind: SecretKind, now: Date): KeptSecret {
  const value =
    kind === 'jwt_private_keys'
      ? generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      : randomBytes(32).toString('base64url');
  return { value, added_at: now.toISOString(), replaced_at: null };
}

/** A new secret as the value of an environment variable. */
export function environmentForm(kind: SecretKind): string {
  const { value } = newSecret(kind, new Date());
  return kind === 'jwt_private_keys' ? `"${value.trim().replaceAll('\n', '\\n')}"` : value;
}

/** Writes a temporary file, readable only by the owner and synced to disk, and passes it to `place`. */
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
