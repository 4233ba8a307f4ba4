export { type Claim, ConnectionTurns, type ConnectionTurnsOptions } from './connection-turns.ts';
export { Entrant } from './entrant.ts';
export { FairQueue } from './fair-queue.ts';
export { isTurnOver, nextTurn } from './pace.ts';
export type { GiveUp, Rules, Turn, TurnRequest } from './rules.ts';
