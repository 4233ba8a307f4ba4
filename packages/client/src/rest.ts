import { ApiError, errorOf } from './problem.ts';
import type {
  Answer,
  CallOptions,
  FieldOf,
  Method,
  PathWith,
  ReadOptions,
  ReadPath,
  RelationOf,
} from './rest-calls.ts';

/** A body that is on its way, and on demand the response that it came with. */
export interface Answered<Body> extends Promise<Body> {
  /** The body, and the response for its headers, such as `ETag`, `RateLimit` and `x-count-exact`. */
  withResponse(): Promise<{ data: Body; response: Response }>;
}

type Write<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...options: CallOptions<Path, M>
) => Answered<Answer<Path, M>>;

/** With `fields` and `include`, the type of the answer has only these. */
interface Read {
  <
    Path extends ReadPath<true>,
    const Field extends FieldOf<Path, 'get'> = never,
    const Relation extends RelationOf<Path, 'get'> = never,
  >(
    path: Path,
    options: ReadOptions<Path, Field, Relation> & { params: object },
  ): Answered<Answer<Path, 'get', Field, Relation>>;
  <
    Path extends ReadPath<false>,
    const Field extends FieldOf<Path, 'get'> = never,
    const Relation extends RelationOf<Path, 'get'> = never,
  >(
    path: Path,
    options?: ReadOptions<Path, Field, Relation>,
  ): Answered<Answer<Path, 'get', Field, Relation>>;
}

/** REST: each method takes a path of `openapi.json`, and returns the body of its success or throws an {@link ApiError}. */
export type Rest = { get: Read } & { [M in Exclude<Method, 'get'>]: Write<M> };

interface Options {
  params?: { path?: Record<string, string>; query?: Record<string, unknown>; header?: Record<string, string> };
  body?: unknown;
  headers?: HeadersInit;
  signal?: AbortSignal | undefined;
}

/** @param send see `createSend` */
export function createRest(url: string, send: typeof fetch): Rest {
  const call = (method: string) => (path: string, options?: Options) => {
    const made = request(url, send, method, path, options);
    const data = made.then((each) => each.data);
    const withResponse = () => {
      // the receiver of the response handles the error there
      data.catch(() => undefined);
      return made;
    };
    return Object.assign(data, { withResponse });
  };
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
  return Object.fromEntries(methods.map((each) => [each, call(each.toUpperCase())])) as Rest;
}

async function request(url: string, send: typeof fetch, method: string, path: string, options: Options = {}) {
  const { params = {}, body, signal = null } = options;
  const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params.path?.[name] ?? ''));
  const query = Object.entries(params.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, textOf(value)]],
  );
  const headers = new Headers({ ...params.header, ...Object.fromEntries(new Headers(options.headers)) });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const response = await send(`${url}${address}${search}`, { method, headers, body: JSON.stringify(body), signal });
  const asked = { operation: `${method} ${path}`, path: address };
  if (!response.ok) throw await errorOf(response, asked);
  const isJson = response.headers.get('content-type')?.includes('json');
  const data = await (isJson ? response.json() : response.text()).catch((cause: unknown) => {
    signal?.throwIfAborted();
    const { status } = response;
    throw new ApiError({ code: 'UNREADABLE', message: 'The response cannot be read.', status, cause, ...asked });
  });
  return { data, response };
}

/** Filters are JSON, and several names are separated by a space. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
