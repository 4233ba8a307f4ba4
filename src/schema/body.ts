import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/errors.ts';

/** 100 KiB (decisions §4). */
const maxBytes = 100 * 1024;

/**
 * Reads the body of a POST as JSON. Nothing but `application/json` is taken: forms and `text/plain` are what a page of
 * another site can send without asking first.
 *
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length']) > maxBytes) throw new DomainError('PAYLOAD_TOO_LARGE');
  if (!isJson(request)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await readBytes(request);
  if (!isUtf8(bytes)) throw new DomainError('INVALID_JSON', { detail: 'The body is not valid UTF-8.' });
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new DomainError('INVALID_JSON');
  }
}

function isJson({ headers }: IncomingMessage): boolean {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return false;
  if (headers['content-type'] === 'application/json') return true;
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}

/** Stops to keep what is sent once it is too much, but goes on reading: a client that is cut off sees no answer. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const broken = () => {
      if (!request.complete) reject(new DomainError('INVALID_JSON', { detail: 'The body ends too early.' }));
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else reject(new DomainError('PAYLOAD_TOO_LARGE'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', broken);
    request.once('close', broken);
  });
}
