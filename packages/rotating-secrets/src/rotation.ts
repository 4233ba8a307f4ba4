import { isWaiting, type KeptSecret, newSecret, type SecretRules } from './secret.ts';

export interface Rotation {
  secrets: KeptSecret[];
  steps: ('added' | 'used' | 'retired' | 'waits')[];
  /** When the waiting secret may sign, if it is too early now. */
  usableAt?: Date;
}

/** @param lead milliseconds that a new secret verifies before it signs; null: it signs at once */
export function rotate(rules: SecretRules, secrets: readonly KeptSecret[], now: Date, lead: number | null): Rotation {
  const living = secrets.filter(
    ({ replaced_at: replaced }) => replaced === null || now.getTime() - Date.parse(replaced) < rules.kept,
  );
  const steps: Rotation['steps'] = living.length < secrets.length ? ['retired'] : [];
  let waiting = living.find(isWaiting);
  const all = [...living];
  if (!waiting) {
    waiting = newSecret(rules, now);
    all.push(waiting);
    steps.push('added');
    if (lead !== null) return { secrets: all, steps };
  }
  const usableAt = new Date(Date.parse(waiting.added_at) + (lead ?? 0));
  if (lead !== null && usableAt > now) return { secrets: all, steps: [...steps, 'waits'], usableAt };
  const others = all.filter((each) => each !== waiting);
  const replaced = others.map((each, index) => (index === 0 ? { ...each, replaced_at: now.toISOString() } : each));
  return { secrets: [waiting, ...replaced], steps: [...steps, 'used'] };
}
