import { sharedSeconds } from '../../http/shared-response.ts';
import type { HeaderDoc, ParameterDoc } from './route.ts';

const webhookHeader = (name: string, description: string): ParameterDoc => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

/** Of Standard Webhooks (reference/webhooks.md#signatures). */
export const webhookHeaders = [
  webhookHeader('webhook-id', 'The id of the change, the same in each attempt.'),
  webhookHeader('webhook-timestamp', 'When this attempt was made, in Unix seconds.'),
  webhookHeader('webhook-signature', '`v1,` and the HMAC in base64, one for each valid secret, separated by a space.'),
];

export const organizationHeader: ParameterDoc = {
  name: 'x-organization-id',
  in: 'header',
  description: 'The organization that the request is scoped to. Required, except with an API key, which knows its own.',
  schema: { type: 'string', format: 'uuid' },
};

export const publicOrganizationHeader: ParameterDoc = {
  ...organizationHeader,
  required: true,
  description: 'The organization whose public data are read.',
};

export const entityTagDoc: HeaderDoc = {
  description: 'Identifies the response, for `If-None-Match`.',
  schema: { type: 'string' },
};

export const sharedHeaderDocs: Record<string, HeaderDoc> = {
  ETag: entityTagDoc,
  'Cache-Control': {
    description: `\`public, max-age=${sharedSeconds}\`: any cache may store the response.`,
    schema: { type: 'string' },
  },
};

export const ifNoneMatchDoc: ParameterDoc = {
  name: 'if-none-match',
  in: 'header',
  description: 'Entity tags that the client has; if one of them is current, the response is 304 without a body.',
  schema: { type: 'string' },
};
