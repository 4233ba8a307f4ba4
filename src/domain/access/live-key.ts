import { sql } from 'kysely';

export const isLiveKey = sql<boolean>`k.ended_at is null and (k.expires_at is null or k.expires_at > now())`;
