import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parsePrivateKeys } from './private-key.ts';

/** The characters that a secret has at the least. */
export const minLength = 32;

export const secretKinds = ['cookie_secrets', 'cursor_secrets', 'jwt_private_keys'] as const;
export type SecretKind = (typeof secretKinds)[number];

const timestamp = z.iso.datetime().nullable();
const entry = (value: z.ZodType<string>) =>
  z
    .array(
      z.strictObject({
        value,
        /** When it was added; unknown for what the service made before it kept a list. */
        added_at: timestamp.default(null),
        /** When another took its place as the one that signs; null until then. */
        replaced_at: timestamp.default(null),
      }),
    )
    .min(1);

const secret = z.string().min(minLength);
const privateKey = z.string().refine(isOneKey);

const lists = z.strictObject({
  cookie_secrets: entry(secret),
  cursor_secrets: entry(secret),
  jwt_private_keys: entry(privateKey),
});

/** The file of a version that knew one secret of each kind. */
const singles = z
  .strictObject({ cookie_secret: secret, cursor_secret: secret, jwt_private_key: privateKey })
  .transform((file) => ({
    cookie_secrets: [aged(file.cookie_secret)],
    cursor_secrets: [aged(file.cursor_secret)],
    jwt_private_keys: [aged(file.jwt_private_key)],
  }));

/** What `secrets.json` holds. In each list the first signs, and all of them verify. */
export type KeptSecrets = z.output<typeof lists>;
export type KeptSecret = KeptSecrets[SecretKind][number];

/**
 * Reads the file, or answers null where there is none.
 *
 * @throws Error where it is there and not ours
 */
export async function readSecretsFile(file: string): Promise<KeptSecrets | null> {
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
    throw new Error(`${file} does not hold the secrets that the service keeps there. Remove it to have new ones made.`);
  }
}

/** Makes the file with new secrets. Several processes that do so at once agree on one file. */
export async function makeSecretsFile(file: string): Promise<KeptSecrets> {
  const now = new Date();
  const made = Object.fromEntries(secretKinds.map((kind) => [kind, [newSecret(kind, now)]]));
  await mkdir(path.dirname(file), { recursive: true });
  // a link is atomic and, unlike a rename, refuses to replace another's
  await withDraft(file, made, (draft) =>
    link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    }),
  );
  const kept = await readSecretsFile(file);
  if (!kept) throw new Error(`${file} was removed while it was made.`);
  return kept;
}

/** Replaces the file, whole or not at all. */
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

/** Writes the content beside the file, for the owner alone and down to the disk, and hands it to `place`. */
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
