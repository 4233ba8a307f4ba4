import { EventSourceParserStream } from 'eventsource-parser/stream';
import { getOperationAST, parse } from 'graphql';
import type { Placeholder } from '../content.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import type { LastAnswer } from './last-answer.ts';
import type { BrowserSession } from './session.ts';

/** An operation that GraphiQL sends. */
interface Operation {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

type Answer = { data?: unknown; errors?: unknown; extensions?: { cost?: number } };

/** Sends the operations of GraphiQL with the identity of the session. */
export function createFetcher(
  session: BrowserSession,
  lastAnswer: LastAnswer,
  placeholders: Readonly<Record<string, Placeholder>>,
) {
  // the page's own URL, whether or not it ends in a slash
  const url = location.pathname;
  const post = (operation: Operation, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    session.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(operation),
      ...(signal && { signal }),
    });
  const send = async (operation: Operation, headers?: Record<string, string>) => {
    const response = await post(operation, headers);
    return { status: response.status, answer: (await response.json()) as Answer };
  };
  /** The payloads of a subscription, until GraphiQL stops reading them. */
  async function* follow(
    operation: Operation,
    headers: Record<string, string> | undefined,
    filled: Record<string, string>,
  ): AsyncGenerator<Answer, void> {
    const stopping = new AbortController();
    try {
      const response = await post(operation, { ...headers, accept: 'text/event-stream' }, stopping.signal);
      const note = (answer: Answer) => {
        if (answer.extensions?.cost !== undefined || answer.errors) {
          lastAnswer.set({ status: response.status, cost: answer.extensions?.cost, filled });
        }
        return answer;
      };
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
        yield note((await response.json()) as Answer);
        return;
      }
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event, data } of events as AsyncIterable<{ event?: string; data: string }>) {
        if (event === 'next') yield note(JSON.parse(data) as Answer);
      }
    } finally {
      stopping.abort();
    }
  }
  return async (
    operation: Operation,
    { headers }: { headers?: Record<string, string> } = {},
  ): Promise<Answer | AsyncGenerator<Answer, void>> => {
    if (operation.operationName === 'IntrospectionQuery') return (await send(operation, headers)).answer;
    lastAnswer.set(null);
    const ask = async (query: string) => (await send({ query }, headers)).answer.data;
    const found = await fillPlaceholders(placeholders, operation.variables ?? {}, ask);
    if ('missing' in found) return { errors: [{ message: found.missing }] };
    const { variables, filled } = found;
    if (isSubscription(operation)) return follow({ ...operation, variables }, headers, filled);
    const start = performance.now();
    const { status, answer } = await send({ ...operation, variables }, headers);
    const milliseconds = Math.round(performance.now() - start);
    lastAnswer.set({ status, cost: answer.extensions?.cost, milliseconds, filled });
    return answer;
  };
}

function isSubscription({ query, operationName }: Operation): boolean {
  return getOperationAST(parse(query), operationName)?.operation === 'subscription';
}
