import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { WorkQueue } from './work-queue.ts';

const derive = promisify(argon2);

/** The cost of a new hash: OWASP's second recommendation for argon2id, memory in KiB (decisions §3). */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltLength = 16;
const tagLength = 32;

/** Each hash holds a thread and 19 MiB, so a flood of sign-ins must queue and not exhaust the process. */
const queue = new WorkQueue(4, 200);

/** Stands in for the hash of an account that has none, so that its refusal costs the same. */
const dummy: ParsedHash = { ...cost, salt: randomBytes(saltLength), tag: randomBytes(tagLength) };

interface ParsedHash {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

/**
 * Hashes a password, normalized to NFC, with argon2id and a new salt.
 *
 * @returns the hash in PHC string form
 * @throws DomainError SERVICE_UNAVAILABLE where too many hashes are waited for
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const tag = await compute(password, { ...cost, salt, tag: Buffer.alloc(tagLength) });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${phcBase64(salt)}$${phcBase64(tag)}`;
}

/**
 * Whether the password is the one that was hashed. `null`, or a hash in a form that we do not know, costs what a
 * wrong password costs: the answer's time must not tell whether an account exists.
 *
 * @throws DomainError SERVICE_UNAVAILABLE where too many hashes are waited for
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const parsed = hash === null ? null : parseHash(hash);
  const expected = parsed ?? dummy;
  const equal = timingSafeEqual(await compute(password, expected), expected.tag);
  return equal && parsed !== null;
}

/** Whether a hash was made with another algorithm or cost than a new one would be. */
export function needsRehash(hash: string): boolean {
  const parsed = parseHash(hash);
  return (
    parsed === null ||
    parsed.memory !== cost.memory ||
    parsed.passes !== cost.passes ||
    parsed.parallelism !== cost.parallelism ||
    parsed.salt.length < saltLength ||
    parsed.tag.length !== tagLength
  );
}

function compute(password: string, { memory, passes, parallelism, salt, tag }: ParsedHash): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'));
  return queue.run(() =>
    derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: tag.length }),
  );
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Reads a PHC string; null where it is none, or where its cost is out of all proportion (a row is no place for a DoS). */
function parseHash(hash: string): ParsedHash | null {
  const match = phc.exec(hash);
  if (!match) return null;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const parsed = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
  const sane =
    parsed.memory <= 262_144 &&
    parsed.memory >= 8 * parsed.parallelism &&
    parsed.passes >= 1 &&
    parsed.passes <= 16 &&
    parsed.parallelism >= 1 &&
    parsed.parallelism <= 16;
  return sane ? parsed : null;
}

function phcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
