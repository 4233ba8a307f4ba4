import { sharedSeconds } from '../../http/shared-response.ts';
import type { HeaderDoc, ParameterDoc } from './route.ts';

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
