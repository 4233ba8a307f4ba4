import { randomBytes } from 'node:crypto';

/** ISO 8601 timestamps. */
export interface KeptSecret {
  value: string;
  added_at: string;
  /** When another secret began to sign. */
  replaced_at: string | null;
}

/** What secrets of a kind are. */
export interface SecretRules {
  /** Milliseconds that a secret is kept after it was replaced: longer than anything that it signed stays valid. */
  kept: number;
  /** 32 random bytes in base64url if absent. */
  make?(): string;
  isValid(value: string): boolean;
}

export function newSecret({ make }: SecretRules, now: Date): KeptSecret {
  const value = make?.() ?? randomBytes(32).toString('base64url');
  return { value, added_at: now.toISOString(), replaced_at: null };
}

/** Whether a secret verifies but has never signed. */
export function isWaiting(secret: KeptSecret, index: number): boolean {
  return index > 0 && secret.replaced_at === null;
}
