import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { EventStream } from '../../src/http/event-stream.ts';

const kibibyte = 1024;

it('closes once 256 KiB wait for a client that does not read, and not before', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // it takes the first piece and never asks for the next one
  const socket = Object.assign(new Duplex({ read: () => undefined, write: () => undefined }), {
    setNoDelay: () => socket,
  });
  response.assignSocket(socket as unknown as Socket);
  const stream = new EventStream(response);
  let written = 0;
  while (stream.isOpen && written < 1_000) {
    stream.write('x'.repeat(kibibyte));
    written += 1;
  }
  expect(written).toBeGreaterThan(250);
  expect(written).toBeLessThanOrEqual(257);
});
