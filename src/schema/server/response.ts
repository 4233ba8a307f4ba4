import type { Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import { endText } from '../../http/end-text.ts';
import { EventStream, eventText } from '../../http/event-stream.ts';

/** The media types of a GraphQL response, as in the GraphQL-over-HTTP specification. */
type ResponseType = 'application/graphql-response+json' | 'application/json';

/** Sends a result with the status, headers and body that Yoga determines. */
export async function sendResult(response: Response, result: ExecutionResult, fetchAPI: FetchAPI): Promise<void> {
  const written = processRegularResult(result, fetchAPI, responseType(response.req.headers.accept));
  response.statusCode = written.status;
  written.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  // as in REST: whoever begins anew must not be sent back by a cache
  const isExpired = result.errors?.some(({ extensions }) => extensions.code === 'CURSOR_EXPIRED');
  if (isExpired) response.setHeader('cache-control', 'no-store');
  endText(response, await written.text());
}

/** Sends the payloads of a subscription (GraphQL over SSE, distinct connections). */
export async function sendPayloads(response: Response, payloads: AsyncIterable<ExecutionResult>): Promise<void> {
  const events = new EventStream(response);
  for await (const payload of payloads) {
    events.write(eventText({ event: 'next', data: payload }));
    if (!events.isOpen) break;
  }
  events.write('event: complete\ndata:\n\n');
  events.end();
}

/**
 * The media type of a response. A client that accepts neither gets `application/json`: an unreadable error helps nobody.
 */
export function responseType(accept: string | undefined): ResponseType {
  const ranges = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => {
      const [type = '', ...parameters] = each.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='));
      return { type, weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { type } of ranges) {
    const answer = answers.get(type);
    if (answer) return answer;
  }
  return 'application/json';
}

const answers = new Map<string, ResponseType>([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);
