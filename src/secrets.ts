import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { parsePrivateKeys } from './private-key.ts';

/** What signs and seals. Each list is newest first: the first signs, all of them verify, so that secrets rotate. */
export interface Secrets {
  cookieSecrets: string[];
  cursorSecrets: string[];
  /** Ed25519 private keys of the access tokens. */
  privateKeys: KeyObject[];
}

/** The secrets that the environment gives. */
export type GivenSecrets = Partial<Secrets>;

const minLength = 32;
const placeholders = /change.?(me|this)|placeholder|your.?secret/i;

/** Why a text is too weak to be a secret, or null. A secret is 32 characters that somebody rolled dice for. */
export function secretFault(value: string): string | null {
  if (value.length < minLength) return `is too short: ${minLength} characters at least`;
  // 128 random bits in hex, the least dense form in use, deflate to some 30 bytes; a repeated phrase to far fewer
  const guessable = placeholders.test(value) || new Set(value).size < 10 || deflateRawSync(value).length < 24;
  return guessable ? 'is too easy to guess: take random characters, as of `openssl rand -base64 32`' : null;
}

const secretsFile = z.strictObject({
  cookie_secret: z.string().min(minLength),
  cursor_secret: z.string().min(minLength),
  jwt_private_key: z.string().transform(parsePrivateKeys),
});

/**
 * Adds to the given secrets those that are absent: made once, and kept in `secrets.json` under `dataDir`, readable by
 * the owner alone. Several processes that start at once agree on one file.
 *
 * @throws Error where the file cannot be written, or is there and not ours
 */
export async function completeSecrets(given: GivenSecrets, dataDir: string): Promise<Secrets> {
  const { cookieSecrets, cursorSecrets, privateKeys } = given;
  if (cookieSecrets && cursorSecrets && privateKeys) return { cookieSecrets, cursorSecrets, privateKeys };
  const file = path.join(dataDir, 'secrets.json');
  const kept = (await readKept(file)) ?? (await makeAndKeep(file));
  return {
    cookieSecrets: cookieSecrets ?? [kept.cookie_secret],
    cursorSecrets: cursorSecrets ?? [kept.cursor_secret],
    privateKeys: privateKeys ?? kept.jwt_private_key,
  };
}

async function readKept(file: string): Promise<z.output<typeof secretsFile> | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    return secretsFile.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} does not hold the secrets that the service keeps there. Remove it to have new ones made.`);
  }
}

async function makeAndKeep(file: string): Promise<z.output<typeof secretsFile>> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const made = {
    cookie_secret: randomBytes(32).toString('base64url'),
    cursor_secret: randomBytes(32).toString('base64url'),
    jwt_private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  await mkdir(path.dirname(file), { recursive: true });
  // written whole beside the file, then linked: a link is atomic and, unlike a rename, refuses to replace another's
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(made, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(draft);
  }
  const kept = await readKept(file);
  if (!kept) throw new Error(`${file} was removed while it was made.`);
  return kept;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
