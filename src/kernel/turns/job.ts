import type { DomainError } from '../errors.ts';

/**
 * The kind of work: `quick` ends within milliseconds; `heavy` may take as long as a statement's timeout; `write` are
 * transactions, which may wait for locks.
 */
export type Work = 'quick' | 'heavy' | 'write';

/** Who takes turns, such as an organization, a user, a network or an account; or several of them together. */
export interface Entrant {
  readonly key: string;
  running: number;
  /** Those that are not quick. */
  slow: number;
  heavy: number;
  waiting: number;
  /** The number of its last turn; of a newcomer, just below that of the last turn of all. */
  lastTurn: number;
}

/** What wants a turn, for a claim. */
export interface TurnRequest<Claim> {
  readonly claim: Claim;
  readonly work: Work;
  /** Whose it is, from the widest party to the narrowest: at each level the parties take turns. */
  readonly path: readonly Entrant[];
  /** Parties that count it as well, and take no turns. */
  readonly group: Entrant | null;
}

export interface Rules<Claim> {
  workOf(claim: Claim): Work;
  /** The keys of the claim's parties, widest first. */
  pathOf(claim: Claim): readonly string[];
  groupOf?(claim: Claim): Entrant | null;
  mayStart(job: TurnRequest<Claim>): boolean;
  /** Why a job may not wait beside what waits of its parties; null if it may. */
  refusal(job: TurnRequest<Claim>): DomainError | null;
  /** How many may wait in all. */
  capacity: number;
  /** Milliseconds that a job waits; null for as long as it takes. */
  patience: number | null;
  /** Seconds after which a client may try again for which there was no room, or no turn in time. */
  retryAfter: number;
}

/** The right to run, until it ends. */
export interface Turn {
  end(): void;
}

/** Cancels a claim that waits. */
export type GiveUp = (reason: Error) => void;
