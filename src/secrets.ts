import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { parsePrivateKeys } from './private-key.ts';
import { makeSecretsFile, minLength, readSecretsFile, type SecretKind } from './secrets-file.ts';

/** What signs and seals. Each list is newest first: the first signs, all of them verify, so that secrets rotate. */
export interface Secrets {
  cookieSecrets: string[];
  cursorSecrets: string[];
  /** Ed25519 private keys of the access tokens. */
  privateKeys: KeyObject[];
}

/** The secrets that the environment gives. */
export type GivenSecrets = Partial<Secrets>;

const placeholders = /change.?(me|this)|placeholder|your.?secret/i;

/** Why a text is too weak to be a secret, or null. A secret is 32 characters that somebody rolled dice for. */
export function secretFault(value: string): string | null {
  if (value.length < minLength) return `is too short: ${minLength} characters at least`;
  // 128 random bits in hex, the least dense form in use, deflate to some 30 bytes; a repeated phrase to far fewer
  const guessable = placeholders.test(value) || new Set(value).size < 10 || deflateRawSync(value).length < 24;
  return guessable ? 'is too easy to guess: take random characters, as of `openssl rand -base64 32`' : null;
}

/** Where the secrets are kept that the environment does not give. */
export function secretsPath(dataDir: string): string {
  return path.join(dataDir, 'secrets.json');
}

/**
 * Adds to the given secrets those that are absent: made once, and kept in `secrets.json` under `dataDir`, readable by
 * the owner alone; `npm run keys` rotates them.
 *
 * @throws Error where the file cannot be written, or is there and not ours
 */
export async function completeSecrets(given: GivenSecrets, dataDir: string): Promise<Secrets> {
  const { cookieSecrets, cursorSecrets, privateKeys } = given;
  if (cookieSecrets && cursorSecrets && privateKeys) return { cookieSecrets, cursorSecrets, privateKeys };
  const file = secretsPath(dataDir);
  const kept = (await readSecretsFile(file)) ?? (await makeSecretsFile(file));
  const values = (kind: SecretKind) => kept[kind].map(({ value }) => value);
  return {
    cookieSecrets: cookieSecrets ?? values('cookie_secrets'),
    cursorSecrets: cursorSecrets ?? values('cursor_secrets'),
    privateKeys: privateKeys ?? values('jwt_private_keys').flatMap(parsePrivateKeys),
  };
}
