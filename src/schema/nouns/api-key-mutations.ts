import type { ApiKeyRow } from '../../domain/api-key/api-key.resource.ts';
import { apiKeyCursor } from '../../domain/api-key/api-key.ts';
import { createApiKey } from '../../domain/api-key/create-api-key.ts';
import { deleteApiKey, updateApiKey } from '../../domain/api-key/manage-api-keys.ts';
import { withMembership } from '../../engine/context.ts';
import type { Types } from '../builder/builder.ts';
import { commandMutation } from '../relay/command-mutation.ts';
import { newEdge } from '../relay/connection.ts';
import { removedId, rowField } from '../relay/resource-node.ts';
import { ApiKeyConnection, ApiKeyRef } from './api-key.ts';

type Payload<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

const object = { field: 'id', noun: 'api_key' } as const;

const apiKeyField = <Row extends ApiKeyRow>(t: Payload<Row>) => rowField(t, ApiKeyRef, 'The key after the mutation.');

commandMutation({
  name: 'createApiKey',
  description: 'Creates an API key; for owners.',
  command: createApiKey,
  payload: (t) => ({
    apiKey: apiKeyField(t),
    apiKeyEdge: newEdge(t, ApiKeyConnection, 'The new key, as an edge of the list of all keys.', (key, ctx) => ({
      node: key,
      cursor: apiKeyCursor(withMembership(ctx), key),
    })),
    secret: t.exposeString('secret', {
      description: 'What the machine signs in with, as `Authorization: Bearer`. Shown this once.',
    }),
  }),
});

commandMutation({
  name: 'updateApiKey',
  description: 'Renames an API key; for owners.',
  command: updateApiKey,
  object,
  payload: (t) => ({ apiKey: apiKeyField(t) }),
});

commandMutation({
  name: 'deleteApiKey',
  description: 'Ends an API key for good; for owners.',
  command: deleteApiKey,
  object,
  parent: (_result, { id }) => ({ id }),
  payload: (t) => ({
    deletedApiKeyId: removedId(t, 'ApiKey', 'The global id of the ended key.'),
  }),
});
