import sql, { type Sql } from 'sql-template-tag';

/** Days without a refresh after which a session ends (interface/sign-in.md#sessions); the cookie expires after as many. */
export const idleDays = 30;

/** Whether a session is active, as a condition over the alias `t`. */
export const livingSession: Sql = sql`t.ended_at is null and t.expires_at > now()
  and t.last_used_at > now() - make_interval(days => ${idleDays})`;
