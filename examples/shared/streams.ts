import { createClient } from 'graphql-sse';
import { service, url } from './service.ts';

/** GraphQL over SSE; whoever opens a stream opens the next one (follow.ts). */
export const streams = createClient({ url: `${url}/graphql`, fetchFn: service.fetch, retryAttempts: 0 });
