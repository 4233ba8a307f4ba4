import type { Entrant } from './entrant.ts';

export interface TurnRequest<Claim, Kind extends string> {
  readonly claim: Claim;
  readonly kind: Kind;
  /** Its parties, widest first: at each level they take turns. */
  readonly path: readonly Entrant<Kind>[];
  /** A party that counts it as well, and takes no turns. */
  readonly group: Entrant<Kind> | null;
}

export interface Rules<Claim, Kind extends string> {
  kindOf(claim: Claim): Kind;
  /** The keys of the claim's parties, widest first. */
  pathOf(claim: Claim): readonly string[];
  groupOf?(claim: Claim): Entrant<Kind> | null;
  /** Requests of the same parties and kind have the same answer. */
  mayStart(request: TurnRequest<Claim, Kind>): boolean;
  /** Why a request may not wait with the others of its parties; null if it may. */
  refusal(request: TurnRequest<Claim, Kind>): Error | null;
  /** The error of a request for which there is no room, or no turn in time. */
  busy(): Error;
  /** How many may wait in all. */
  capacity: number;
  /** Milliseconds that a request waits; null for as long as it takes. */
  patience: number | null;
}

export interface Turn {
  end(): void;
}

/** Cancels a claim that waits. */
export type GiveUp = (reason: Error) => void;
