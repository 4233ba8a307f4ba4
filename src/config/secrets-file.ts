import { type KeptSecret, newPrivateKey, parsePrivateKeys, rotatingSecrets, type SecretRules } from '#rotating-secrets';

/** In characters. */
export const minLength = 32;
const day = 24 * 60 * 60_000;
const isValid = (value: string) => value.length >= minLength;

const rules = {
  // a session may be idle for 30 days
  cookie_secrets: { kept: 32 * day, isValid },
  // cursors do not expire; after a year a client has to start at page one
  cursor_secrets: { kept: 365 * day, isValid },
  // stored responses last a day; other texts are encrypted again before their key goes
  encryption_keys: { kept: 365 * day, isValid },
  // tokens last 30 minutes, and some processes may not have been restarted yet
  jwt_private_keys: { kept: day, make: newPrivateKey, isValid: isOneKey },
} satisfies Record<string, SecretRules>;

export type SecretKind = keyof typeof rules;
export const secretKinds = Object.keys(rules) as SecretKind[];
/** The content of `secrets.json`. */
export type KeptSecrets = Record<SecretKind, KeptSecret[]>;

// verifiers of access tokens may cache our JWK set for five minutes, and processes with secrets from the environment must be restarted
export const { newSecret, rotate, openSecretsFile, makeSecretsFile, writeSecretsFile } = rotatingSecrets(
  rules as Record<SecretKind, SecretRules>,
  10 * 60_000,
);

/** The variables that override the file. */
export const secretVariables: Record<SecretKind, string> = {
  cookie_secrets: 'COOKIE_SECRET',
  cursor_secrets: 'CURSOR_SECRET',
  encryption_keys: 'ENCRYPTION_KEY',
  jwt_private_keys: 'JWT_PRIVATE_KEY',
};

export function keptDays(kind: SecretKind): string {
  const days = rules[kind].kept / day;
  return days === 1 ? 'a day' : `${days} days`;
}

/** A new secret as the value of an environment variable. */
export function environmentForm(kind: SecretKind): string {
  const { value } = newSecret(kind, new Date());
  return kind === 'jwt_private_keys' ? `"${value.trim().replaceAll('\n', '\\n')}"` : value;
}

function isOneKey(value: string): boolean {
  try {
    return parsePrivateKeys(value).length === 1;
  } catch {
    return false;
  }
}
