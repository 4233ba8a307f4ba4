import { argon2Sync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashPassword, needsRehash, verifyPassword } from '../../src/domain/session/password.ts';

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

  it('is the same in every Unicode normalization form', async () => {
    const hash = await hashPassword('caf\u00e9 au lait');
    expect(await verifyPassword(hash, 'cafe\u0301 au lait')).toBe(true);
  });

  it('never matches if there is no hash, or none that can be read', async () => {
    const bcrypt = '$2b$12$abcdefghijklmnopqrstuuu5rYbV0T3z4XkJ1n0nq7cZ1qB0J6mS2';
    for (const hash of [null, '', 'correct horse', bcrypt, '$argon2id$v=19$m=19456,t=2,p=1$$']) {
      expect(await verifyPassword(hash, 'correct horse'), String(hash)).toBe(false);
    }
  });

  it('takes as long without a hash as with a wrong one', async () => {
    const hash = await hashPassword('correct horse');
    const times: Record<'wrong' | 'none', number[]> = { wrong: [], none: [] };
    for (let index = 0; index < 12; index += 1) {
      for (const [kind, value] of [
        ['wrong', hash],
        ['none', null],
      ] as const) {
        const start = performance.now();
        await verifyPassword(value, 'wrong horse');
        times[kind].push(performance.now() - start);
      }
    }
    const fastest = (list: number[]) => Math.min(...list);
    expect(fastest(times.none) / fastest(times.wrong)).toBeGreaterThan(0.6);
    expect(fastest(times.none) / fastest(times.wrong)).toBeLessThan(1.7);
  });

  it('verifies hashes of another cost, and wants them renewed', async () => {
    const old = foreignHash('correct horse', 9216, 4);
    expect(await verifyPassword(old, 'correct horse')).toBe(true);
    expect(await verifyPassword(old, 'wrong horse')).toBe(false);
    expect(needsRehash(old)).toBe(true);
    expect(needsRehash(await hashPassword('correct horse'))).toBe(false);
    expect(needsRehash('')).toBe(true);
  });

  it('refuses to work on a hash whose cost is out of all proportion', async () => {
    const hash = foreignHash('correct horse', 19_456, 2).replace('m=19456', 'm=4194304');
    const start = performance.now();
    expect(await verifyPassword(hash, 'correct horse')).toBe(false);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
