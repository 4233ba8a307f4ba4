import { type KeptSecret, newSecret, type SecretKind } from './secrets-file.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Milliseconds that a new secret is known before it signs: what verifies access tokens elsewhere may keep our JWK set for
 * five minutes, and every process must have been started anew.
 */
const lead = 10 * minute;

/** Milliseconds that a secret is kept once another signs: longer than anything that it signed is good for. */
const kept: Record<SecretKind, number> = {
  // a session may rest for 30 days, and then comes back with its old cookie
  cookie_secrets: 32 * day,
  // cursors have no end; after a year a client starts at page one
  cursor_secrets: 365 * day,
  // 30 minutes, and a day for processes that were not started anew yet
  jwt_private_keys: day,
};

export interface Rotation {
  secrets: KeptSecret[];
  /** What was done, or why not; nothing of a secret. */
  steps: ('added' | 'used' | 'retired' | 'waits')[];
  /** When the waiting one may be used, where that is what hinders. */
  usableAt?: Date;
}

/** Whether a secret is known and was never the one that signs. */
export function isWaiting(secret: KeptSecret, index: number): boolean {
  return index > 0 && secret.replaced_at === null;
}

/**
 * Takes the next step of a rotation: adds a secret that verifies and does not sign yet; or, once that was known for long
 * enough, lets it sign. What was replaced so long ago that nothing signed by it is good any more, is removed.
 *
 * @param hurry lets the new secret sign at once: for a single process, or after a leak
 */
export function rotate(kind: SecretKind, secrets: KeptSecret[], now: Date, hurry = false): Rotation {
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
    if (!hurry) return { secrets: all, steps };
  }
  const usableAt = new Date(Date.parse(waiting.added_at ?? now.toISOString()) + lead);
  if (!hurry && usableAt > now) return { secrets: all, steps: [...steps, 'waits'], usableAt };
  const others = all.filter((each) => each !== waiting);
  const replaced = others.map((each, index) => (index === 0 ? { ...each, replaced_at: now.toISOString() } : each));
  return { secrets: [waiting, ...replaced], steps: [...steps, 'used'] };
}
