import { createHash } from 'node:crypto';
import type { Rotation } from './rotation.ts';
import { isWaiting, type KeptSecret } from './secret.ts';

/** A line for each secret, with a fingerprint in place of its value. */
export function describeSecrets(kind: string, secrets: readonly KeptSecret[]): string[] {
  return secrets.map((secret, index) => {
    const role = index === 0 ? 'signs' : isWaiting(secret, index) ? 'waits' : 'verifies';
    const fingerprint = createHash('sha256').update(secret.value).digest('hex').slice(0, 12);
    return `${kind}  ${fingerprint}  ${role.padEnd(8)}  added ${secret.added_at}`;
  });
}

/** @param lead of a new secret, in words */
export function describeRotation({ steps, usableAt }: Rotation, lead: string): string {
  const sentences = {
    retired: 'removed expired secrets.',
    added: 'added a secret that verifies.',
    used: 'the new secret signs.',
    waits: `the new secret can sign from ${usableAt?.toISOString()} on; run this again then.`,
  };
  const next = steps.includes('added') && !steps.includes('used') ? ` Run this again in ${lead} or more.` : '';
  return steps.map((step) => sentences[step]).join(' ') + next;
}
