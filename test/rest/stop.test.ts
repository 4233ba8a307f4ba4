import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';

describe('a stop', () => {
  it('waits for no connection that asks nothing', async () => {
    const other = await startTestServer();
    const { hostname, port } = new URL(other.url);
    const silent = connect(Number(port), hostname);
    const closed = new Promise((resolve) => silent.on('close', resolve));
    await new Promise((resolve) => silent.on('connect', resolve));
    await fetch(`${other.url}/healthz`);
    const stopped = other.close();
    await closed;
    await stopped;
  });

  it('waits for the request in flight', async () => {
    const other = await startTestServer();
    const half = await beginRequest(other.url);
    const stopped = other.close();
    half.socket.write('}');
    await stopped;
    expect(half.answer()).toContain('VALIDATION_ERROR');
  });

  it('takes no further request of the connection', async () => {
    const other = await startTestServer();
    const half = await beginRequest(other.directUrl);
    const closed = new Promise((resolve) => half.socket.on('close', resolve));
    const stopped = other.close();
    half.socket.write('}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await closed;
    expect(half.answer().match(/^HTTP.*$/gm)).toEqual([expect.stringContaining(' 400 ')]);
    expect(half.answer().toLowerCase()).toContain('\nconnection: close');
    await stopped;
  });
});

/** A request that is in flight until the last byte of its body, `}`, is written. */
async function beginRequest(url: string): Promise<{ socket: Socket; answer(): string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { socket, answer: () => answer };
}
