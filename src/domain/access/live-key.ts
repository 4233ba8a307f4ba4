import { sql } from 'kysely';

/** Whether the key `k` has neither ended nor expired. */
export const isLiveKey = sql<boolean>`k.ended_at is null and (k.expires_at is null or k.expires_at > now())`;
