import { buildClientSchema, introspectionFromSchema, parse } from 'graphql';
import { type RestRequest, requestTarget } from '../../packages/explorer-content/src/as-rest/request.ts';
import { restRequests } from '../../packages/explorer-content/src/as-rest/translate.ts';
import { restTwins } from '../../src/main/twins.ts';
import { schema } from '../../src/schema/schema.ts';
import { routesOfTest } from './routes.ts';
import { type Caller, send } from './send.ts';

export const twins = restTwins(routesOfTest);

// the page knows the schema by introspection, without the values of enums
const clientSchema = buildClientSchema(introspectionFromSchema(schema));

export interface AsRestOptions {
  operationName?: string;
  variables?: Record<string, unknown>;
  viewerId?: string;
  now?: Date;
}

/** The requests and reasons that GraphiQL's page shows for an operation. */
export function asRest(query: string, options: AsRestOptions = {}) {
  const { operationName, variables = {}, viewerId = null, now = new Date() } = options;
  return restRequests({ schema: clientSchema, document: parse(query), operationName, variables, twins, viewerId, now });
}

/** The same as lines: `GET /events?limit=2`, a body as JSON, or the reason why there is no request. */
export function asRestLines(query: string, options: AsRestOptions = {}): string[] {
  return asRest(query, options).map((each) => {
    if ('reason' in each) return each.reason;
    const headers = Object.entries(each.headers).map(([name, value]) => `${name}: ${value}`);
    const body = each.body === undefined ? [] : [JSON.stringify(each.body)];
    return [`${each.method} ${decodeURIComponent(requestTarget(each))}`, ...headers, ...body, ...each.notes].join('\n');
  });
}

/** Sends one of the requests. */
export async function sendRest(url: string, caller: Caller, request: RestRequest) {
  const { method, headers, body } = request;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it is
  const { status, body: answer } = await send<any>(
    { url },
    caller,
    `${method} ${requestTarget(request)}`,
    body,
    headers,
  );
  return { status, answer };
}
