import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from '../src/index.ts';

/** A hash as another configuration of the service would have made it. */
function foreignHash(password: string, memory: number, passes: number, parallelism = 1): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength: 32 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`;
}

describe('password', () => {
  it('is hashed with argon2id at the decided cost, and with a new salt each time', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
  });

  it('is verified against its own hash only', async () => {
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    expect(await verifyPassword(hash, 'correct horsf')).toBe(false);
    expect(await verifyPassword(hash, 'Correct horse')).toBe(false);
    expect(await verifyPassword(hash, '')).toBe(false);
  });

  it('never matches if there is no hash, or none that can be read', async () => {
    const bcrypt = '$2b$12$abcdefghijklmnopqrstuuu5rYbV0T3z4XkJ1n0nq7cZ1qB0J6mS2';
    for (const hash of [null, '', 'correct horse', bcrypt, '$argon2id$v=19$m=19456,t=2,p=1$$']) {
      expect(await verifyPassword(hash, 'correct horse'), String(hash)).toBe(false);
    }
  });

  it('refuses to work on a hash whose cost is out of all proportion', async () => {
    const hash = foreignHash('correct horse', 19_456, 2).replace('m=19456', 'm=4194304');
    const start = performance.now();
    expect(await verifyPassword(hash, 'correct horse')).toBe(false);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
