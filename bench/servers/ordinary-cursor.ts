import { createHmac } from 'node:crypto';

/** A cursor of an ordinary server: the keys of the order, and an HMAC over them. */
export function sealOrdinary(time: Date, id: string): string {
  const key = `${time.toISOString()} ${id}`;
  return Buffer.from(`${key} ${createHmac('sha256', 'a secret').update(key).digest('base64url')}`).toString(
    'base64url',
  );
}

/** @throws Error if the cursor is forged */
export function openOrdinary(cursor: string): [time: string, id: string] {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (sealOrdinary(new Date(time), id) !== cursor) throw new Error('bad cursor');
  return [time, id];
}
