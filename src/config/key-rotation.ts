import { type KeptSecret, newSecret, type SecretKind } from './secrets-file.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Milliseconds that a new secret verifies before it signs: verifiers of access tokens may cache our JWK set for five minutes,
 * and processes with secrets from the environment must be restarted.
 */
const lead = 10 * minute;

/** Milliseconds that a secret is kept after it was replaced: longer than anything that it signed stays valid. */
const kept: Record<SecretKind, number> = {
  // a session may be idle for 30 days
  cookie_secrets: 32 * day,
  // cursors do not expire; after a year a client has to start at page one
  cursor_secrets: 365 * day,
  // stored responses last a day; other texts are encrypted again before their key goes
  encryption_keys: 365 * day,
  // tokens last 30 minutes, and some processes may not have been restarted yet
  jwt_private_keys: day,
};

export function keptDays(kind: SecretKind): string {
  const days = kept[kind] / day;
  return days === 1 ? 'a day' : `${days} days`;
}

export interface Rotation {
  secrets: KeptSecret[];
  steps: ('added' | 'used' | 'retired' | 'waits')[];
  /** When the waiting secret may sign, if it is too early now. */
  usableAt?: Date;
}

/** Whether a secret verifies but has never signed. */
export function isWaiting(secret: KeptSecret, index: number): boolean {
  return index > 0 && secret.replaced_at === null;
}

/** Takes the next step of a rotation. @param immediately for a service of a single process: a new secret signs at once */
export function rotate(kind: SecretKind, secrets: KeptSecret[], now: Date, immediately = false): Rotation {
  const living = secrets.filter(
    ({ replaced_at: replaced }) => replaced === null || now.getTime() - Date.parse(replaced) < kept[kind],
  );
  const steps: Rotation['steps'] = living.length < secrets.length ? ['retired'] : [];
  let waiting = living.find(isWaiting);
  const all = [...living];
  if (!waiting) {
    waiting = newSecret(kind, now);
    all.push(waiting);
    steps.push('added');
    if (!immediately) return { secrets: all, steps };
  }
  const usableAt = new Date(Date.parse(waiting.added_at) + lead);
  if (!immediately && usableAt > now) return { secrets: all, steps: [...steps, 'waits'], usableAt };
  const others = all.filter((each) => each !== waiting);
  const replaced = others.map((each, index) => (index === 0 ? { ...each, replaced_at: now.toISOString() } : each));
  return { secrets: [waiting, ...replaced], steps: [...steps, 'used'] };
}
