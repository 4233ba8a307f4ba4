import { connect } from 'node:net';
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
    const { hostname, port } = new URL(other.url);
    const half = connect(Number(port), hostname);
    let answer = '';
    half.on('data', (chunk) => {
      answer += chunk.toString();
    });
    const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    await new Promise<void>((resolve) => half.write(head, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = other.close();
    half.write('}');
    await stopped;
    expect(answer).toContain('VALIDATION_ERROR');
  });

  it('takes no further request of the connection', async () => {
    const other = await startTestServer();
    const { hostname, port } = new URL(other.directUrl);
    const half = connect(Number(port), hostname);
    let answer = '';
    half.on('data', (chunk) => {
      answer += chunk.toString();
    });
    const head = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    await new Promise<void>((resolve) => half.write(head, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closed = new Promise((resolve) => half.on('close', resolve));
    const stopped = other.close();
    half.write('}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await closed;
    expect(answer.match(/^HTTP.*$/gm)).toEqual([expect.stringContaining(' 400 ')]);
    expect(answer.toLowerCase()).toContain('\nconnection: close');
    await stopped;
  });
});
