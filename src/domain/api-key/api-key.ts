import sql from 'sql-template-tag';
import type { MemberContext } from '../../engine/context.ts';
import { everything } from '../../engine/list/condition.ts';
import { CursorScope } from '../../engine/list/list.ts';
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

/** The cursor of a key in the list of all keys. */
export function apiKeyCursor(ctx: MemberContext, { id, created_at: createdAt }: ApiKeyRow): string {
  const owner = ctx.membership.organizationId;
  const scope = new CursorScope(ctx, { owner, resource: apiKeyResource, order: 'created_at', where: everything });
  return scope.seal({ time: Date.parse(createdAt), id });
}
