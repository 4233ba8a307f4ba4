import type { Readable } from 'node:stream';

/** Bytes of an answer that are read, and bytes that are kept of them. */
const readBytes = 4 * 1024;
const keptBytes = 1024;
/** Milliseconds for the body once the head has arrived; what came by then is kept. */
const patience = 1_000;

/** The beginning of a body as text that PostgreSQL can store; the rest is not read, and its connection is closed. */
export async function readBeginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patience);
  body.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= readBytes) resolve();
  });
  // a body that breaks off is as good as one that ends
  body.on('end', resolve).on('error', resolve).on('close', resolve);
  await done;
  clearTimeout(timer);
  if (!body.readableEnded) body.destroy();
  return keptText(Buffer.concat(chunks));
}

/** At most {@link keptBytes} of UTF-8, without a cut character at its end. */
function keptText(bytes: Buffer): string {
  const decoder = new TextDecoder();
  const text = decoder.decode(bytes.subarray(0, keptBytes), { stream: true }).replaceAll('\0', '\ufffd');
  const encoded = Buffer.from(text);
  // a byte that is no UTF-8 becomes a character of three
  return encoded.length <= keptBytes
    ? text
    : new TextDecoder().decode(encoded.subarray(0, keptBytes), { stream: true });
}
