/** The key of an item in an order; the item may no longer exist. */
export interface Position {
  /** In Unix milliseconds. */
  time: number;
  id: string;
  /** In a cursor from `prev`, the direction of its page (reference/lists.md#tokens). */
  before?: 1 | -1;
}

/** Sorts before every id. */
export const lowestId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The position before every item at a time and later; with direction -1, before every item at it and earlier. */
export function beginning(time: string, direction: 1 | -1): Position {
  const first = { time: Date.parse(time), id: direction === 1 ? lowestId : lastId };
  const position = neighbour(first, direction === 1 ? -1 : 1);
  // beyond the times that PostgreSQL reads; no item has this id
  return /^(?!0000)\d{4}-/.test(new Date(position.time).toISOString()) ? position : first;
}

/** The position directly after (`1`) or before (`-1`) in ascending order: no item can lie between the two. */
export function neighbour(position: Position, step: 1 | -1): Position {
  const wide = (BigInt(position.time) << 128n) + BigInt(`0x${position.id.replaceAll('-', '')}`) + BigInt(step);
  const hex = BigInt.asUintN(128, wide).toString(16).padStart(32, '0');
  return { time: Number(wide >> 128n), id: uuidText(hex) };
}

/** A UUID from its 32 digits. */
export function uuidText(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
