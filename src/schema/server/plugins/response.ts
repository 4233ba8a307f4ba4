import { processRegularResult } from 'graphql-yoga';
import type { ServedPlugin } from './served.ts';

/** Streams are sent by `EventStream` of `bounded-http`, since Yoga's writer does not wait for slow clients. */
export function useResponse(): ServedPlugin {
  return {
    onResultProcess({ result, setResultProcessor, serverContext: { incoming } }) {
      if (Symbol.asyncIterator in result) {
        setResultProcessor((payloads, { Response }) => new Response(payloads as never, {}), 'text/event-stream');
        return;
      }
      // as in REST: a cache must not send back a client that starts again
      const isExpired =
        'errors' in result && result.errors?.some(({ extensions }) => extensions.code === 'CURSOR_EXPIRED');
      if (isExpired) incoming.res?.setHeader('cache-control', 'no-store');
      setResultProcessor(processRegularResult, responseType(incoming.headers.accept));
    },
  };
}

type ResponseType = 'application/graphql-response+json' | 'application/json';

/** A client that accepts neither gets `application/json`: an unreadable error helps nobody. */
export function responseType(accept = ''): ResponseType {
  const ranges = accept.toLowerCase().split(',');
  const [best = ''] = ranges
    .filter((range) => weightOf(range) > 0 && answers.has(typeOf(range)))
    .sort((a, b) => weightOf(b) - weightOf(a));
  return answers.get(typeOf(best)) ?? 'application/json';
}

const typeOf = (range: string) => range.split(';', 1)[0]?.trim() ?? '';
const weightOf = (range: string) => Number(/;\s*q=([^;\s]*)/.exec(range)?.[1] ?? 1);

const answers = new Map<string, ResponseType>([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);
