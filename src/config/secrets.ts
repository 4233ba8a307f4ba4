import type { KeyObject } from 'node:crypto';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { parsePrivateKeys } from '#rotating-secrets';
import { type KeptSecrets, makeSecretsFile, minLength, openSecretsFile, type SecretKind } from './secrets-file.ts';

/** In each list the first secret signs or encrypts, and all of them verify or decrypt. */
export interface Secrets {
  cookieSecrets: string[];
  cursorSecrets: string[];
  encryptionKeys: string[];
  /** Ed25519 private keys of the access tokens. */
  privateKeys: KeyObject[];
}

/** The secrets from the environment. */
export type GivenSecrets = Partial<Secrets>;

const placeholders = /change.?(me|this)|placeholder|your.?secret/i;

/** Why a text is too weak to be a secret. */
export function secretFault(value: string): string | null {
  if (value.length < minLength) return `is too short: at least ${minLength} characters are required`;
  // 128 random bits in hex, the least dense form in use, deflate to about 30 bytes; a repeated phrase to far fewer
  const guessable = placeholders.test(value) || new Set(value).size < 10 || deflateRawSync(value).length < 24;
  return guessable ? 'is too easy to guess: use random characters, for example from `openssl rand -base64 32`' : null;
}

/** For secrets that are not set in the environment. */
export function secretsPath(dataDir: string): string {
  return path.join(dataDir, 'secrets.json');
}

/** Adds secrets from `secrets.json`, which is created at the first start. @throws Error if the file cannot be written or read */
export async function completeSecrets(given: GivenSecrets, dataDir: string): Promise<Secrets> {
  if (isComplete(given)) return given;
  const file = secretsPath(dataDir);
  return combineSecrets(given, (await openSecretsFile(file)) ?? (await makeSecretsFile(file)));
}

/** Whether the file is not needed. */
export function isComplete(given: GivenSecrets): given is Secrets {
  const { cookieSecrets, cursorSecrets, encryptionKeys, privateKeys } = given;
  return Boolean(cookieSecrets && cursorSecrets && encryptionKeys && privateKeys);
}

export function combineSecrets(
  { cookieSecrets, cursorSecrets, encryptionKeys, privateKeys }: GivenSecrets,
  kept: KeptSecrets,
): Secrets {
  const values = (kind: SecretKind) => kept[kind].map(({ value }) => value);
  return {
    cookieSecrets: cookieSecrets ?? values('cookie_secrets'),
    cursorSecrets: cursorSecrets ?? values('cursor_secrets'),
    encryptionKeys: encryptionKeys ?? values('encryption_keys'),
    privateKeys: privateKeys ?? values('jwt_private_keys').flatMap(parsePrivateKeys),
  };
}
