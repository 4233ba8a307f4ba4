import { graphqlTwins } from '../main/twins.ts';
import { webhookMessages } from '../rest/nouns/webhook-messages.ts';
import { restRoutes } from '../rest/routes.ts';
import { openapiDocument } from '../rest/server/openapi.ts';

export function printedOpenapi(): string {
  const publicUrl = 'http://localhost:3000';
  const routes = restRoutes({ publicUrl, trustsOrigin: () => false, cookieSecrets: () => [] });
  return `${JSON.stringify(openapiDocument(routes, publicUrl, graphqlTwins(routes), webhookMessages), null, 2)}\n`;
}
