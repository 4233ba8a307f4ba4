import { defineEntity, p } from '@mikro-orm/core';

/** One counter that every process of the service shares. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  // names and order of the columns are those of rate-limiter-flexible
  properties: {
    /** What is counted, hashed. */
    key: p.string().length(255).primary(),
    points: p.integer().default(0),
    /** When the count is reset, in Unix milliseconds. */
    expire: p.bigint('number').nullable().index('rate_limit_expire_index'),
  },
});
