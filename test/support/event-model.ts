/**
 * What reference/subscriptions.md says of one event with its subscriptions, in a few lines: the oracle of tests that
 * drive a real one.
 */
export interface ModelSubscription {
  id: string;
  user: number;
  status: Status;
  checkedIn: boolean;
  /** `kind from to actor`; the actor is the number of a user, `manager` or `list`. */
  history: string[];
}

export type Status = 'pending' | 'accepted' | 'declined' | 'waitlisted' | 'cancelled';

const live: Status[] = ['pending', 'accepted', 'waitlisted'];
/** From which status of an event to which others, while it has subscriptions. */
const eventMoves: Record<number, number[]> = { 1: [2, 3], 2: [1, 3], 3: [1] };

type Refusal = string;

export class EventModel {
  status = 1;
  capacity: number | null;
  registration = 'open';
  waitingList = true;
  isOver = false;
  version = 1;
  readonly subscriptions: ModelSubscription[] = [];
  /** Those who wait, in their order. */
  waiting: ModelSubscription[] = [];

  constructor(capacity: number | null) {
    this.capacity = capacity;
  }

  get accepted(): number {
    return this.subscriptions.filter(({ status }) => status === 'accepted').length;
  }

  /** @param by the manager who names the user, if any */
  subscribe(user: number, id: string | null, by: { status?: Status } | null): Refusal | ModelSubscription {
    const own = this.subscriptions.filter((each) => each.user === user);
    if (own.some(({ status }) => live.includes(status))) return 'ALREADY_SUBSCRIBED';
    if (!by && own.at(-1)?.status === 'declined') return 'SUBSCRIPTION_DECLINED';
    if (this.status !== 1 || (!by && (this.isOver || this.registration === 'closed'))) return 'REGISTRATION_CLOSED';
    const status = by?.status ?? this.#firstStatus(by !== null);
    if (status === null || (by?.status === 'accepted' && !this.#isFreeForNewcomer())) return 'EVENT_FULL';
    const made: ModelSubscription = { id: id ?? '', user, status, checkedIn: false, history: [] };
    this.subscriptions.push(made);
    if (status === 'waitlisted') this.waiting.push(made);
    made.history.push(`status null ${status} ${by ? 'manager' : user}`);
    this.#fill();
    return made;
  }

  /** @param actor the manager, or the holder */
  move(one: ModelSubscription, to: Status, actor: 'manager' | 'holder'): Refusal | null {
    const from = one.status;
    if (from === to) return null;
    const byManager = live.includes(from) || live.includes(to);
    const allowed = actor === 'manager' ? byManager : live.includes(from) && to === 'cancelled' && !this.isOver;
    if (one.checkedIn || !allowed) return 'INVALID_TRANSITION';
    const returns = !live.includes(from) && live.includes(to);
    const others = this.subscriptions.filter((each) => each.user === one.user && each !== one);
    if (returns && others.some(({ status }) => live.includes(status))) return 'ALREADY_SUBSCRIBED';
    if (to === 'accepted' && !this.#isFree()) return 'EVENT_FULL';
    this.#set(one, to, actor === 'manager' ? actor : String(one.user));
    this.#fill();
    return null;
  }

  checkIn(one: ModelSubscription): Refusal | null {
    if (one.checkedIn) return 'ALREADY_CHECKED_IN';
    if (one.status !== 'accepted' || this.status !== 1) return 'INVALID_TRANSITION';
    one.checkedIn = true;
    one.history.push('check_in accepted accepted manager');
    return null;
  }

  undoCheckIn(one: ModelSubscription): null {
    if (one.checkedIn) one.history.push(`undo_check_in ${one.status} ${one.status} manager`);
    one.checkedIn = false;
    return null;
  }

  setStatus(to: number): Refusal | null {
    if (to === this.status) return null;
    if (!(eventMoves[this.status] ?? []).includes(to)) return 'INVALID_TRANSITION';
    this.status = to;
    return this.#changed();
  }

  setCapacity(to: number | null): Refusal | null {
    if (to === this.capacity) return null;
    if (to !== null && to < this.accepted) return 'CONFLICT';
    this.capacity = to;
    return this.#changed();
  }

  set(field: 'registration' | 'waitingList' | 'isOver', to: never): null {
    if (this[field] === to) return null;
    this[field] = to;
    return this.#changed();
  }

  #changed(): null {
    this.version += 1;
    this.#fill();
    return null;
  }

  #isFree(): boolean {
    return this.capacity === null || this.accepted < this.capacity;
  }

  /** Nobody overtakes, as long as the list moves at all. */
  #isFreeForNewcomer(): boolean {
    return this.#isFree() && (this.isOver || this.waiting.length === 0);
  }

  #firstStatus(byManager: boolean): Status | null {
    if (this.registration === 'approval') return 'pending';
    if (this.registration === 'closed' && !byManager) return null;
    if (this.#isFreeForNewcomer()) return 'accepted';
    return this.waitingList ? 'waitlisted' : null;
  }

  #set(one: ModelSubscription, to: Status, actor: string): void {
    one.history.push(`status ${one.status} ${to} ${actor}`);
    one.status = to;
    this.waiting = this.waiting.filter((each) => each !== one);
    if (to === 'waitlisted') this.waiting.push(one);
  }

  #fill(): void {
    if (this.status !== 1 || this.isOver) return;
    while (this.#isFree() && this.waiting[0]) this.#set(this.waiting[0], 'accepted', 'list');
  }
}
