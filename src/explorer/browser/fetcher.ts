import type { LastAnswer } from './last-answer.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { Session } from './session.ts';

/** An operation that GraphiQL sends. */
interface Operation {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

type Answer = { data?: unknown; errors?: unknown; extensions?: { cost?: number } };

/** Sends the operations of GraphiQL with the identity of the session. */
export function createFetcher(session: Session, lastAnswer: LastAnswer) {
  // the page's own URL, whether or not it ends in a slash
  const url = location.pathname;
  const send = async (operation: Operation, headers: Record<string, string> = {}) => {
    const response = await session.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(operation),
    });
    return { status: response.status, answer: (await response.json()) as Answer };
  };
  return async (operation: Operation, { headers }: { headers?: Record<string, string> } = {}): Promise<Answer> => {
    if (operation.operationName === 'IntrospectionQuery') return (await send(operation, headers)).answer;
    const ask = async (query: string) => (await send({ query }, headers)).answer.data;
    const found = await fillPlaceholders(operation.variables ?? {}, ask);
    if ('missing' in found) return { errors: [{ message: found.missing }] };
    const { variables, filled } = found;
    const start = performance.now();
    const { status, answer } = await send({ ...operation, variables }, headers);
    const milliseconds = Math.round(performance.now() - start);
    lastAnswer.set({ status, cost: answer.extensions?.cost, milliseconds, filled });
    return answer;
  };
}
