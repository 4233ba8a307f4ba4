import { type ApiKeyRow, apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../domain/api-key/api-key.ts';
import { resourceNode } from '../relay/resource-node.ts';
import { organizationList } from './organization-list.ts';

export const ApiKeyRef = resourceNode<ApiKeyRow>('ApiKey', {
  description: 'A key that a machine signs in with, as a user with a role in the organization.',
  resource: apiKeyResource,
  loader: apiKeys.loader,
});

export const ApiKeyConnection = organizationList('apiKeys', {
  type: ApiKeyRef,
  items: 'API keys',
  description: 'The API keys, oldest first; for owners.',
  resource: apiKeyResource,
  list: apiKeys,
});
