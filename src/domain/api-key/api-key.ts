import { sql } from 'kysely';
import { serveToMembers } from '../../engine/list/served-list.ts';
import { tables } from '../tables/tables.ts';
import { type ApiKeyRow, apiKeyResource } from './api-key.resource.ts';

const named = tables
  .selectFrom('api_key as k')
  .innerJoin('user as u', 'u.id', 'k.id')
  .selectAll('k')
  .select(['u.name', 'u.updated_at']);

/** Oldest first; an expired key stays listed until it is ended. */
export const apiKeys = serveToMembers<ApiKeyRow>({
  resource: apiKeyResource,
  role: 'owner',
  source: () => named,
  visible: () => sql`t.ended_at is null`,
  from: 'write',
});
