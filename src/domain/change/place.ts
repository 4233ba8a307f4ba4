import { DomainError } from '../../kernel/errors.ts';

/**
 * A moment of the database: which transactions were over. PostgreSQL's snapshots say so of each transaction below `from`; those
 * that had begun are below `to`.
 */
export interface Moment {
  /** The transactions below `from` that were not over, in ascending order. */
  open: readonly number[];
  /** No transaction from this one on was over. */
  from: number;
  /** No transaction from this one on had begun. */
  to: number;
}

/** A change as far as places are concerned. */
export interface Numbered {
  seq: number;
  /** The transaction that wrote it. */
  x: number;
  id: string;
}

/**
 * How far a reader of an organization's log has come (note 0058). Numbers are drawn before the commit, so what lies below
 * a number may be committed after it: a place remembers who was still writing.
 */
export interface Place {
  /** Everything up to this number has been read, except what was written by transactions that were not over at `moment`. */
  height: number;
  moment: Moment;
  /**
   * While what was committed late, below `height`, is read page by page: it has been read up to `last`, as far as its
   * transactions were over at that moment.
   */
  late: { last: number; moment: Moment } | null;
  /** The end of the id of the newest change that has been read, by which a restored database is recognized; or ''. */
  newest: string;
  /** When it was taken, in Unix seconds. */
  at: number;
  /** Whether everything had been read by then. */
  caughtUp: boolean;
}

/** The place before everything; what it lacks is told by {@link refetches}. */
export const start = -4;

/** The most open transactions that a place names: a cursor with two moments stays below 2 KB. */
const maxOpen = 200;

/**
 * The moment of a snapshot, in PostgreSQL's text form. If too many transactions were open, it counts all from some number on as
 * not over: nothing after a change of one of those may then be read (see {@link wasOver}).
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

/** Whether a transaction that has written a change was over at a moment. */
export function wasOver({ open, from, to }: Moment, x: number): boolean {
  // beyond `to` are the numbers of another cluster, from which the database was restored
  return !(x >= from && x < to) && !open.includes(x);
}

/** Whether a reader who has come to a place has read a change. */
export function hasRead({ height, moment, late }: Place, { seq, x }: Numbered): boolean {
  if (seq > height) return false;
  return wasOver(late && seq <= late.last ? late.moment : moment, x);
}

/** Whether everything that was over at an earlier moment was over at this one; of two moments, that holds for one of the two. */
export function isSince({ open, from }: Moment, earlier: Moment): boolean {
  return from >= earlier.from && open.every((x) => x >= earlier.from || earlier.open.includes(x));
}

/** The place of a reader who reads on from `place`, at `moment` and in order, once the change is read. */
export function placeAfter(place: Place, moment: Moment, change: Numbered): Place {
  const common = { newest: tail(change.id), at: place.at, caughtUp: false };
  if (change.seq > place.height) return { ...common, height: change.seq, moment, late: null };
  const { height, late } = place;
  return {
    ...place,
    ...common,
    newest: place.newest,
    late: { last: change.seq, moment: late?.moment ?? moment },
    height,
  };
}

/** The part of a change's id that places keep. */
export function tail(id: string): string {
  return id.slice(-12);
}

const version = 1;

/** A place as bytes, for cursors: numbers as groups of seven bits, the open transactions by their distances. */
export function encodePlace({ height, moment, late, newest, at, caughtUp }: Place): Buffer {
  const bytes: number[] = [version, (late ? 1 : 0) | (caughtUp ? 2 : 0) | (newest ? 4 : 0)];
  const put = (number: number) => {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  const putMoment = ({ open, from, to }: Moment) => {
    put(from);
    put(to - from);
    put(open.length);
    let above = from;
    for (const x of open.toReversed()) {
      put(above - x);
      above = x;
    }
  };
  put(at);
  put(height - start);
  putMoment(moment);
  if (late) {
    put(late.last);
    putMoment(late.moment);
  }
  return Buffer.concat([Buffer.from(bytes), Buffer.from(newest, 'hex')]);
}

/**
 * The place in the bytes of an authentic cursor.
 *
 * @throws DomainError CURSOR_EXPIRED for bytes of another version of the service
 */
export function decodePlace(bytes: Buffer): Place {
  if (bytes[0] !== version) throw ofAnotherVersion();
  let at = 2;
  const take = () => {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw ofAnotherVersion();
      at += 1;
      number += (byte % 128) * unit;
      if (byte < 128) return number;
    }
  };
  const takeMoment = (): Moment => {
    const from = take();
    const to = from + take();
    const open: number[] = [];
    let above = from;
    for (let count = take(); count > 0; count -= 1) {
      above -= take();
      open.push(above);
    }
    return { open: open.reverse(), from, to };
  };
  const flags = bytes[1] as number;
  const taken = take();
  const height = take() + start;
  const moment = takeMoment();
  const late = flags & 1 ? { last: take(), moment: takeMoment() } : null;
  const newest = flags & 4 ? bytes.toString('hex', at, at + 6) : '';
  if (at + newest.length / 2 !== bytes.length || (flags & 4 && newest.length !== 12)) throw ofAnotherVersion();
  return { height, moment, late, newest, at: taken, caughtUp: (flags & 2) !== 0 };
}

function ofAnotherVersion(): DomainError {
  const detail = 'The cursor is of another version of the service. Begin with `since=now`, then read the lists.';
  return new DomainError('CURSOR_EXPIRED', { detail });
}
