import {
  createServer,
  request as httpRequest,
  IncomingMessage as Incoming,
  type IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { EventStream } from '../src/index.ts';

afterEach(() => void vi.useRealTimers());

/** A stream whose client takes the first piece and never asks for the next one. */
function unread(): { stream: EventStream; response: ServerResponse } {
  const response = new ServerResponse(new Incoming(new Socket()));
  const socket = Object.assign(new Duplex({ read: () => undefined, write: () => undefined }), {
    setNoDelay: () => socket,
  });
  response.assignSocket(socket as unknown as Socket);
  return { stream: new EventStream(response), response };
}

/** Sends payloads to a client, as a server does. */
async function served(
  send: (stream: EventStream) => Promise<void>,
): Promise<{ client: IncomingMessage; server: Server }> {
  const server = createServer((_request, response) => void send(new EventStream(response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1' }, resolve).once('error', reject).end();
  });
  return { client, server };
}

it('sends payloads of 5 MB to a client that reads', async () => {
  const payload = 'x'.repeat(5 * 1024 * 1024);
  const { client, server } = await served(async (stream) => {
    for (let count = 0; count < 3; count += 1) await stream.write(payload);
    stream.end();
  });
  expect((await text(client)).length).toBe(3 * payload.length);
  server.close();
});

it('waits for a client that reads late, and sends it everything', async () => {
  let written = 0;
  const { client, server } = await served(async (stream) => {
    for (; written < 40; written += 1) await stream.write('x'.repeat(1024 * 1024));
    stream.end();
  });
  // what the system takes for both sides is far less
  await expect.poll(() => written).toBeGreaterThan(0);
  const before = written;
  expect(before).toBeLessThan(40);
  expect((await text(client)).length).toBe(40 * 1024 * 1024);
  server.close();
});

it('closes once a client has read nothing of a payload for 15 seconds, and not before', async () => {
  vi.useFakeTimers();
  const { stream, response } = unread();
  let isWritten = false;
  const writing = stream.write('x'.repeat(1024 * 1024)).then(() => {
    isWritten = true;
  });
  await vi.advanceTimersByTimeAsync(14_999);
  expect([stream.isOpen, isWritten]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(1);
  await writing;
  expect([stream.isOpen, response.destroyed]).toEqual([false, true]);
});

it('gathers no comments for a client that does not read', async () => {
  vi.useFakeTimers();
  const { stream, response } = unread();
  void stream.write('x'.repeat(1024 * 1024));
  const write = vi.spyOn(response, 'write');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(write).not.toHaveBeenCalled();
});
