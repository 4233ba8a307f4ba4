import { sql } from 'kysely';
import { raw, type Sql } from 'sql-template-tag';

/** Days without a refresh after which a session ends (reference/sign-in.md#sessions); the cookie expires after as many. */
export const idleDays = 30;

const living = (alias: string) => `${alias}.ended_at is null and ${alias}.expires_at > now()
  and ${alias}.last_used_at > now() - make_interval(days => ${idleDays})`;

/** Whether a session is active. */
export const isLiving = sql.raw<boolean>(living('session'));

/** Whether a session is active, as a condition over the alias `t`. */
export const livingSession: Sql = raw(living('t'));
