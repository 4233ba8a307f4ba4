import { type ApiKeyRow, apiKeyResource } from '../../domain/api-key/api-key.resource.ts';
import { apiKeys } from '../../domain/api-key/api-key.ts';
import { builder } from '../builder/builder.ts';
import { resourceFields } from '../relay/node-fields.ts';
import { defineNode } from '../relay/node-types.ts';
import { organizationList } from './organization-list.ts';

export const ApiKeyRef = builder.objectRef<ApiKeyRow>('ApiKey');

defineNode('ApiKey', {
  organizational: true,
  loader: (ctx, selection) => apiKeys.loader(ctx, selection.columns()),
});

ApiKeyRef.implement({
  description: 'A key that a machine signs in with, as a user with a role in the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...resourceFields(t, 'ApiKey', apiKeyResource),
  }),
});

export const ApiKeyConnection = organizationList('apiKeys', {
  type: ApiKeyRef,
  items: 'API keys',
  description: 'The API keys, oldest first; for owners.',
  resource: apiKeyResource,
  list: apiKeys,
});
