import sql from 'sql-template-tag';
import { serveToMembers } from '../../engine/list/served-list.ts';
import { type ApiKeyRow, apiKeyResource } from './api-key.resource.ts';

/** The organization's keys that were not ended, oldest first; an expired one stays listed. */
export const apiKeys = serveToMembers<ApiKeyRow>({
  resource: apiKeyResource,
  role: 'owner',
  list: () => ({
    source: sql`select k.*, u.name, u.updated_at from api_key k join "user" u on u.id = k.id`,
    visible: sql`t.ended_at is null`,
    from: 'write',
  }),
});
