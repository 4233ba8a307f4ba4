export { Entrant } from './entrant.ts';
export { FairQueue } from './fair-queue.ts';
export type { GiveUp, Rules, Turn, TurnRequest } from './rules.ts';
