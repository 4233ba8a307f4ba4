import { connect } from 'node:net';

/** One answer of HTTP/1.1, with the names of its headers in lower case. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type RawConnection = Awaited<ReturnType<typeof openRaw>>;

/**
 * A connection on which a test writes what no client of HTTP would send.
 *
 * @param localAddress where it comes from: on loopback each of 127.0.0.0/8 is a network of its own
 */
export async function openRaw(url: string, localAddress?: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  // a server that resets the connection has ended it
  socket.on('error', () => undefined);
  /** What the server wrote, once the connection is over, whoever ended it. */
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { socket, text: () => text, ended };
}

/** What the server writes, to its end, for bytes that no client of HTTP would send. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const { socket, ended } = await openRaw(url);
  socket.write(bytes);
  return await ended;
}

/** The answers in what a server wrote, each of which says how long it is; interim ones included. */
export function answersOf(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [status = '', ...lines] = rest.slice(0, end).split('\r\n');
    if (end < 0 || !/^HTTP\/1\.1 \d{3} /.test(status)) throw new Error(`no answer: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
    answers.push({ status: Number(status.slice(9, 12)), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/**
 * A request whose headers go out exactly as they are listed, name and value by turns: doubled ones stay doubled, which
 * `fetch` would join.
 */
export async function rawRequest(
  url: string,
  { method = 'GET', headers = [], body = '' }: { method?: string; headers?: string[]; body?: string | undefined } = {},
) {
  const { host, pathname, search } = new URL(url);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  if (!lines.some((line) => /^host:/i.test(line))) lines.unshift(`host: ${host}`);
  if (method !== 'GET') lines.push(`content-length: ${Buffer.byteLength(body)}`);
  const head = [`${method} ${pathname}${search} HTTP/1.1`, ...lines, 'connection: close'].join('\r\n');
  const [answer] = answersOf(await sendRaw(url, `${head}\r\n\r\n${body}`));
  if (!answer) throw new Error('The connection ended without an answer.');
  return { status: answer.status, headers: answer.headers, text: answer.body };
}
