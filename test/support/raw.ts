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
    text += chunk.toString();
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
    answers.push({ status: Number(status.slice(9, 12)), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
