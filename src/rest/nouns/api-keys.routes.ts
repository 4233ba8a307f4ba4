import { type ApiKeyRow, apiKeyColumns, apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../domain/api-key/api-key.ts';
import { createApiKey } from '../../domain/api-key/create-api-key.ts';
import { deleteApiKey, updateApiKey } from '../../domain/api-key/manage-api-keys.ts';
import { pick } from '../../kernel/pick.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { apiKeySchema, newApiKeySchema } from '../server/resource.schemas.ts';
import type { Route } from '../server/route.ts';

const projection = { resource: apiKeyResource, relations: [] };

/** The keys that machines sign in with; for owners. */
export const apiKeyRoutes: Route[] = [
  ...listRoutes<'organization', ApiKeyRow>({
    path: '/api-keys',
    name: 'ApiKeys',
    read: 'apiKeys',
    summary: 'Lists the API keys of the organization, oldest first; for owners.',
    tag: 'api-keys',
    access: 'organization',
    projection,
    item: apiKeySchema,
    ...apiKeys,
    one: {
      ...{ parameter: 'key', operationId: 'getApiKey', read: 'apiKey', summary: 'One API key; for owners.' },
      get: async (ctx, id, { fields }) => pick(await apiKeys.get(ctx, id, fields), fields),
    },
  }),
  commandRoute({
    method: 'post',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Creates an API key. The response shows its secret, this once.',
    tag: 'api-keys',
    command: createApiKey,
    created: ({ id }) => `/api-keys/${id}`,
    response: newApiKeySchema,
    answer: (_ctx, { secret, ...key }) => ({ ...pick(key, apiKeyColumns), secret }),
  }),
  commandRoute({
    method: 'patch',
    path: '/api-keys/{key}',
    operationId: 'updateApiKey',
    summary: 'Renames an API key.',
    tag: 'api-keys',
    command: updateApiKey,
    object: 'key',
    response: apiKeySchema,
    answer: (_ctx, key) => pick(key, apiKeyColumns),
  }),
  commandRoute({
    method: 'delete',
    path: '/api-keys/{key}',
    operationId: 'deleteApiKey',
    summary: 'Ends an API key for good. It stops working within 5 seconds.',
    tag: 'api-keys',
    command: deleteApiKey,
    object: 'key',
  }),
];
