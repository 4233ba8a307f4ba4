import { errorOf, type GraphqlError, graphqlError } from './problem.ts';

/** A document that carries the types of its result and variables, as gql.tada and GraphQL Code Generator make them. */
export interface TypedDocument<Result, Variables> {
  // never set: only for inference
  __apiType?: ((variables: Variables) => Result) | undefined;
}

export type Graphql = <Result = unknown, Variables = Record<string, unknown>>(
  document: TypedDocument<Result, Variables> | string,
  ...rest: Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables]
) => Promise<Result>;

/** Makes the text of a parsed document, as `print` of `graphql` or `@0no-co/graphql.web` does. */
export type Print = (document: never) => string;

/**
 * Runs operations. The first error is thrown, with its code; the whole response, with data next to errors, is its `cause`.
 *
 * @param print only for documents that are no strings
 */
export function createGraphql(url: string, send: typeof fetch, print: Print = String): Graphql {
  return async (document, ...[variables]) => {
    const query = typeof document === 'string' ? document : print(document as never);
    const response = await send(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query, variables }),
    });
    const asked = { operation: /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] };
    if (!response.ok) throw await errorOf(response, asked);
    const answer = (await response.json()) as { data: never; errors?: GraphqlError[] };
    const [error] = answer.errors ?? [];
    if (error) throw graphqlError(error, response.status, asked, answer);
    return answer.data;
  };
}
