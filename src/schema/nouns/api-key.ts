import { type ApiKeyRow, apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../domain/api-key/api-key.ts';
import { createApiKey } from '../../domain/api-key/create-api-key.ts';
import { deleteApiKey, updateApiKey } from '../../domain/api-key/manage-api-keys.ts';
import type { ObjectFields } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge, ownEdge } from '../relay/connection.ts';
import { removedId, resourceNode, rowField } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';
import { actingField } from './user.ts';

export const ApiKeyRef = resourceNode<ApiKeyRow>('ApiKey', {
  description: 'A key that a machine signs in with, as a user with a role in the organization.',
  resource: apiKeyResource,
  loader: apiKeys.loader,
  without: ['created_by'],
  fields: (t) => ({
    creator: actingField(t, 'created_by', 'The user who created the key; null if the account is gone.'),
  }),
});

const ApiKeyConnection = organizationList('apiKeys', {
  type: ApiKeyRef,
  items: 'API keys',
  description: 'The API keys, oldest first; for owners.',
  list: apiKeys,
});

const apiKeyField = <Row extends ApiKeyRow>(t: ObjectFields<Row>) =>
  rowField(t, ApiKeyRef, 'The key after the mutation.');

commandMutation(createApiKey, (t) => ({
  apiKey: apiKeyField(t),
  apiKeyEdge: newEdge(t, ApiKeyConnection, 'The new key, as an edge of the list of all keys.', ownEdge(apiKeyResource)),
  secret: t.exposeString('secret', {
    description: 'The secret that the machine signs in with, as `Authorization: Bearer`. Shown only once.',
  }),
}));
commandMutation(updateApiKey, (t) => ({ apiKey: apiKeyField(t) }));
commandMutation(deleteApiKey, (t) => ({ deletedApiKeyId: removedId(t, 'ApiKey', 'The global id of the ended key.') }));
