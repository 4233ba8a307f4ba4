import { defineEntity, p } from '@mikro-orm/core';

/** A counter, shared by all processes of the service. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  // the names and order of the columns are given by rate-limiter-flexible
  properties: {
    /** What is counted, hashed. */
    key: p.string().length(255).primary(),
    points: p.integer().default(0),
    /** When the counter resets, in Unix milliseconds. */
    expire: p.bigint('number').nullable().index('rate_limit_expire_index'),
  },
});
