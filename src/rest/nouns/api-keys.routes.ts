import { z } from 'zod';
import { apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../domain/api-key/api-key.ts';
import { createApiKey } from '../../domain/api-key/create-api-key.ts';
import { deleteApiKey, updateApiKey } from '../../domain/api-key/manage-api-keys.ts';
import { commandRoute } from '../server/command-route.ts';
import { listRoutes } from '../server/list.routes.ts';
import { viewOf } from '../server/list.schema.ts';
import { tagged } from '../server/route.ts';

const view = viewOf(apiKeyResource, 'ApiKey');
const secret = z.string().meta({ description: 'The secret that the machine signs in with. Shown only once.' });

export const apiKeyRoutes = tagged('api-keys', [
  ...listRoutes('api-keys', 'ApiKeys', {
    ...apiKeys,
    view,
    summary: 'Lists the API keys of the organization, oldest first; for owners.',
    one: { parameter: 'key', summary: 'One API key; for owners.' },
  }),
  commandRoute('POST /api-keys', createApiKey, {
    summary: 'Creates an API key. The response shows its secret, only this once.',
    created: ({ id }) => `/api-keys/${id}`,
    shows: viewOf(apiKeyResource, 'NewApiKey', { further: { secret } }),
  }),
  commandRoute('PATCH /api-keys/{key}', updateApiKey, { summary: 'Renames an API key.', shows: view }),
  commandRoute('DELETE /api-keys/{key}', deleteApiKey, {
    summary: 'Ends an API key for good. It stops working within 5 seconds.',
  }),
]);
