import { sql } from 'kysely';

/** Days without a refresh until a session ends, and the lifetime of the cookie (reference/sign-in.md#sessions). */
export const idleDays = 30;

const living = (alias: string) => `${alias}.ended_at is null and ${alias}.expires_at > now()
  and ${alias}.last_used_at > now() - make_interval(days => ${idleDays})`;

export const isLiving = sql.raw<boolean>(living('session'));

export const livingSession = sql.raw<boolean>(living('t'));
