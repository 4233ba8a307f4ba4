/** Which transactions of the database were over at a moment. */
export interface Moment {
  /** The transactions below `from` that were not over, in ascending order. */
  open: readonly number[];
  /** No transaction from this one on was over: the `xmax` of a snapshot. */
  from: number;
  /** No transaction from this one on had begun. */
  to: number;
}

export interface Numbered {
  seq: number;
  /** The transaction. */
  x: number;
  id: string;
}

/**
 * How far a reader of a log has come. Numbers are drawn before the commit, so changes with lower numbers
 * may be committed later: a place remembers the transactions that were open.
 */
export interface Place {
  /** Everything up to this number has been read, except changes of transactions that were not over at `moment`. */
  height: number;
  moment: Moment;
  /** While late changes, below `height`, are read page by page: those up to `last` whose transactions were over at this moment are. */
  late: { last: number; moment: Moment } | null;
  /** The end of the id of the newest change that has been read, or ''. A restored database is recognized by it. */
  newest: string;
  /** In Unix seconds. */
  at: number;
  /** Whether everything had been read by then. */
  caughtUp: boolean;
}

/** The height before everything. The heights from here to 0 are those of `refetch` entries, which are not stored. */
export const start = -4;

/** The most open transactions that a place names: a cursor with two moments stays below 2 KB. */
const maxOpen = 200;

/**
 * The moment of a snapshot. If too many transactions were open, all from some number on count as not over: nothing after a change of
 * one of those may then be read.
 *
 * @param ahead how many transactions from the snapshot's `xmax` on had begun
 */
export function momentOf(snapshot: string, ahead: number): Moment {
  const [, xmax = '', list = ''] = snapshot.split(':');
  const open = list === '' ? [] : list.split(',').map(Number);
  const to = Number(xmax) + Math.max(0, ahead);
  if (open.length <= maxOpen) return { open, from: Number(xmax), to };
  return { open: open.slice(0, maxOpen), from: open[maxOpen] as number, to };
}

export function wasOver({ open, from, to }: Moment, x: number): boolean {
  // numbers beyond `to` are of another cluster, from which the database was restored
  return !(x >= from && x < to) && !open.includes(x);
}

/** Whether a reader who has come to a place has read a change. */
export function hasRead({ height, moment, late }: Place, { seq, x }: Numbered): boolean {
  if (seq > height) return false;
  return wasOver(late && seq <= late.last ? late.moment : moment, x);
}

/** Whether everything that was over at an earlier moment was over at this one. */
export function isSince({ open, from }: Moment, earlier: Moment): boolean {
  return from >= earlier.from && open.every((x) => x >= earlier.from || earlier.open.includes(x));
}

/** The place of a reader at `place` who has read one more change, in order and at `moment`. */
export function placeAfter(place: Place, moment: Moment, change: Numbered): Place {
  const read = { ...place, caughtUp: false };
  if (change.seq > place.height) return { ...read, height: change.seq, moment, late: null, newest: tail(change.id) };
  return { ...read, late: { last: change.seq, moment: place.late?.moment ?? moment } };
}

export function tail(id: string): string {
  return id.slice(-12);
}

const version = 1;

/** A place as bytes, for cursors: numbers as groups of seven bits, the open transactions by their distances. */
export function encodePlace({ height, moment, late, newest, at, caughtUp }: Place): Buffer {
  const bytes = [version, (late ? 1 : 0) | (caughtUp ? 2 : 0) | (newest ? 4 : 0)];
  const distances = ({ open, from, to }: Moment) => [
    ...[from, to - from, open.length],
    ...open.map((x, index) => (open[index + 1] ?? from) - x).reverse(),
  ];
  const numbers = [at, height - start, ...distances(moment), ...(late ? [late.last, ...distances(late.moment)] : [])];
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
    bytes.push(number);
  }
  return Buffer.concat([Buffer.from(bytes), Buffer.from(newest, 'hex')]);
}

/** The place in bytes that nobody changed; null if another version of this code wrote them. */
export function decodePlace(bytes: Buffer): Place | null {
  if (bytes[0] !== version) return null;
  try {
    return placeIn(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function placeIn(bytes: Buffer): Place {
  const flags = bytes[1] ?? 0;
  const end = bytes.length - (flags & 4 ? 6 : 0);
  const numbers: number[] = [];
  let [number, unit] = [0, 1];
  for (const byte of bytes.subarray(2, end)) {
    number += (byte % 128) * unit;
    unit *= 128;
    if (byte >= 128) continue;
    numbers.push(number);
    [number, unit] = [0, 1];
  }
  const take = () => {
    const number = numbers.shift();
    if (number === undefined) throw new RangeError();
    return number;
  };
  const takeMoment = (): Moment => {
    const from = take();
    const to = from + take();
    const open: number[] = [];
    for (let count = take(); count > 0; count -= 1) open.unshift((open[0] ?? from) - take());
    return { open, from, to };
  };
  const at = take();
  const height = take() + start;
  const moment = takeMoment();
  const late = flags & 1 ? { last: take(), moment: takeMoment() } : null;
  if (numbers.length > 0 || unit > 1) throw new RangeError();
  const newest = flags & 4 ? bytes.toString('hex', end) : '';
  return { height, moment, late, newest, at, caughtUp: (flags & 2) !== 0 };
}
