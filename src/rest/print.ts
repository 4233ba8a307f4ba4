import { openapiDocument } from './openapi.ts';
import { restRoutes } from './routes.ts';

/** The OpenAPI document as it is committed: of a service on a laptop. */
export function printedOpenapi(): string {
  const publicUrl = 'http://localhost:3000';
  const routes = restRoutes({ publicUrl, corsOrigins: [], cookieSecrets: ['only to print what is there'] });
  return `${JSON.stringify(openapiDocument(routes, publicUrl), null, 2)}\n`;
}
