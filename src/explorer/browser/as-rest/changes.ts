import { type RestRequest, readRequest } from './request.ts';

type Arguments = Record<string, unknown>;

const path = '/changes';

export function changesRequest(args: Arguments, operation: string): RestRequest {
  const { after, since, kinds, first = null } = args;
  const query = {
    ...(first === null ? {} : { limit: String(Math.min(Number(first), 50)) }),
    ...(after ? { token: String(after) } : {}),
    ...(since ? { since: String(since).toLowerCase() } : {}),
    ...(Array.isArray(kinds) ? { kinds: kinds.map((kind) => String(kind).toLowerCase()).join(' ') } : {}),
  };
  if (operation !== 'subscription') return readRequest(path, query);
  return { ...readRequest(path, query), headers: { accept: 'text/event-stream' }, streams: true };
}
