export { type CounterStore, Counters, hashed } from './counters.ts';
export { SharedLimiter } from './shared-limiter.ts';
