import { type IncomingHttpHeaders, request } from 'node:http';

/**
 * A request whose headers go out exactly as they are listed, name and value by turns: doubled ones stay doubled, which
 * `fetch` would join.
 */
export async function rawRequest(
  url: string,
  options: { method?: string; headers?: string[]; body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { method = 'GET', headers = [], body } = options;
  const target = new URL(url);
  // without a length Node would send an empty chunked body
  const length = method === 'GET' ? [] : ['content-length', String(Buffer.byteLength(body ?? ''))];
  const host = headers.some((each, index) => index % 2 === 0 && each.toLowerCase() === 'host')
    ? []
    : ['host', target.host];
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      target,
      { method, headers: [...host, ...headers, ...length], agent: false, setHost: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
