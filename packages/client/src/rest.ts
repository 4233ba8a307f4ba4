import createFetch, { type Client, type MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { ApiError, errorOf } from './problem.ts';
import type { paths } from './rest-types.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Json<Body> {
  content: { 'application/json': Body };
}

/** What an operation answers if it succeeds. */
export type Answer<Operation> = Operation extends { responses: { 200: Json<infer Body> } }
  ? Body
  : Operation extends { responses: { 201: Json<infer Body> } }
    ? Body
    : unknown;

/** The options of a call; they may be left out if the operation needs none. */
type Options<Init> = RequiredKeysOf<Init> extends never ? [init?: Init & Extra] : [init: Init & Extra];
type Extra = Record<string, unknown>;

type Call<M extends Method> = <Path extends PathsWithMethod<paths, M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...options: Options<Init>
) => Promise<Answer<paths[Path][M]>>;

/** REST: each method takes a path of `openapi.json`, and gives the body of its success or throws an {@link ApiError}. */
export type Rest = { [M in Method]: Call<M> };

/** @param send see `createSend` */
export function createRest(url: string, send: typeof fetch): Rest {
  const client: Client<paths> = createFetch<paths>({ baseUrl: url, fetch: (request) => send(request) });
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response);
    },
  });
  const call =
    (method: string) =>
    async (path: string, init?: object): Promise<unknown> => {
      const { data, response } = await client.request(method as 'get', path as never, init as never);
      if (response.ok) return data;
      throw new ApiError({ code: 'UNREADABLE', message: 'The answer cannot be read.', status: response.status });
    };
  const methods: Record<Method, unknown> = {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
  return methods as Rest;
}
