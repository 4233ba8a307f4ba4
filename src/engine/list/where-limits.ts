import type { Issue } from '../../kernel/errors.ts';

/** The limits of decisions §2 that are checked before a filter is parsed. */
export const whereLimits = { bytes: 8 * 1024, nesting: 5, conditions: 50, branches: 50, members: 100, characters: 200 };

/**
 * Measures a filter without recursion, so that no nesting can exhaust the stack, and stops at the first limit that it exceeds.
 * Bytes are those of its compact JSON.
 */
export function measureWhere(value: unknown): Issue | null {
  const refuse = (detail: string): Issue => ({ pointer: '/where', code: 'INVALID_QUERY', detail });
  const tooLarge = `A filter can have at most ${whereLimits.bytes} bytes.`;
  let bytes = -1; // every value but the first has a separator
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    bytes += 1;
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed())
        return refuse('A filter must not contain NUL or lone surrogates.');
      bytes += Buffer.byteLength(JSON.stringify(next));
    } else if (Array.isArray(next)) {
      bytes += 1;
      if (bytes + next.length > whereLimits.bytes) return refuse(tooLarge);
      for (const item of next) pending.push(item);
    } else if (typeof next === 'object' && next !== null) {
      bytes += 1;
      for (const [key, item] of Object.entries(next)) pending.push(key, item);
    } else {
      bytes += String(next).length;
    }
    if (bytes > whereLimits.bytes) return refuse(tooLarge);
  }
  return null;
}
