import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { canBePassword } from './password-fault.ts';

const derive = promisify(argon2);

/** OWASP's second recommendation for argon2id, memory in KiB. Only tests lower it. */
export const hashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltLength = 16;
const tagLength = 32;

/** Each hash takes a thread and 19 MiB. */
const queue = pLimit(4);

/** Replaces a missing hash, so that a refusal takes as long. */
const dummy = { salt: randomBytes(saltLength), tag: randomBytes(tagLength) };

type ParsedHash = typeof hashCost & { salt: Buffer; tag: Buffer };

/** Returns a PHC string of argon2id over the password in NFC. */
export async function hashPassword(password: string, salt: Buffer = randomBytes(saltLength)): Promise<string> {
  const tag = await compute(password, { ...hashCost, salt, tag: Buffer.alloc(tagLength) });
  return `${currentPrefix()}${phcBase64(salt)}$${phcBase64(tag)}`;
}

function currentPrefix(): string {
  const { memory, passes, parallelism } = hashCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
}

/** Without a hash, or with an unknown format, it takes as long: the duration must not reveal whether an account exists. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const parsed = hash === null ? null : parseHash(hash);
  const expected = parsed ?? { ...hashCost, ...dummy };
  const equal = timingSafeEqual(await compute(password, expected), expected.tag);
  return equal && parsed !== null;
}

export function needsRehash(hash: string): boolean {
  const parsed = parseHash(hash);
  if (!parsed || !hash.startsWith(currentPrefix())) return true;
  return parsed.salt.length < saltLength || parsed.tag.length !== tagLength;
}

function compute(password: string, { memory, passes, parallelism, salt, tag }: ParsedHash): Promise<Buffer> {
  // a longer text matches no password, so it need not be normalized
  const message = Buffer.from(canBePassword(password) ? password.normalize('NFC') : password);
  return queue(() => derive('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: tag.length }));
}

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=([1-9]|1[0-6]),p=([1-9]|1[0-6])\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Null if it is invalid, or if its cost is excessive: a stored value must not enable a DoS. */
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
  return parsed.memory <= 262_144 && parsed.memory >= 8 * parsed.parallelism ? parsed : null;
}

function phcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
