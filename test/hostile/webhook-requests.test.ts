import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AllowedTargets, createEndpointClient } from '#endpoint-client';
import { nextDelay } from '../../src/domain/webhook/record-attempts.ts';
import { startedReceiver, startedSockets, startReceiver } from '../support/receiver.ts';
import { trustCertificate } from '../support/smtp-certificate.ts';

const nothing = new AllowedTargets();
const loopback = new AllowedTargets(['127.0.0.0/8']);
const message = { headers: { 'webhook-id': 'one' }, body: '{}' };

/** Sends to an endpoint on this machine, unless only others are allowed. */
const sendTo = (url: string, options: { allowed?: AllowedTargets; patience?: number } = {}) =>
  createEndpointClient({ allowed: loopback, ...options })({ ...message, url });

/** What is told of one that has failed without an answer. */
const failure = (error: string) => ({ delivered: false, http_status: null, error });

describe('a delivery', () => {
  /** A server that answers a connection with raw bytes. */
  const rawServer = (answer: (socket: Socket) => void) =>
    startedSockets((socket) => void socket.once('data', () => answer(socket)));

  /** The URL of a receiver that answers so. */
  const answering = async (status: number, headers: Record<string, string>) =>
    (await startedReceiver((response) => void response.writeHead(status, headers).end())).url;

  const closed = 'the connection was closed without an answer';

  it('is a POST of JSON that says what the endpoint answered', async () => {
    const { url, received } = await startedReceiver((response) => void response.writeHead(202).end('thanks'));
    const delivered = { delivered: true, http_status: 202, error: null, response: 'thanks' };
    expect(await sendTo(`${url}?a=b`)).toMatchObject(delivered);
    const headers = { 'content-type': 'application/json', 'webhook-id': 'one' };
    expect(received).toMatchObject([{ text: '{}', path: '/hook?a=b', headers }]);
  });

  it.each([false, true])('checks what a name resolves to each time that it is dialled (TLS: %s)', async (tls) => {
    const target = await startedReceiver(undefined, { tls });
    const answers = [['8.8.8.8', '127.0.0.1'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['::1', '2606:4700::1111'], []];
    let asked = 0;
    const send = createEndpointClient({ allowed: nothing, resolve: async () => answers[asked++] ?? [] });
    for (const _ of answers) {
      const answer = await send({ ...message, url: `https://rebinding.test:${target.port}/` });
      expect(answer).toMatchObject(failure('refused address'));
    }
    expect(asked).toBe(answers.length);
    expect(target.connections()).toBe(0);
  });

  it('dials no other address than the ones that were checked', async () => {
    const target = await startedReceiver();
    let asked = 0;
    // the second answer, which nobody may ask for, would lead to the receiver
    const resolve = async () => (asked++ === 0 ? ['203.0.113.1'] : ['127.0.0.1']);
    const send = createEndpointClient({ allowed: nothing, resolve, patience: 1 });
    await send({ ...message, url: `https://rebinding.test:${target.port}/` });
    expect(asked).toBe(1);
    expect(target.connections()).toBe(0);
  });

  it('says the same of a refused address, of a name that is unknown, and of a closed port', async () => {
    const { url, close } = await startReceiver();
    await close();
    const answers = [url, 'https://localhost/', 'https://nobody.invalid/'].map((each) =>
      sendTo(each, each === url ? {} : { allowed: nothing }),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(failure('refused address'));
  });

  it('reaches a name that the operator allowed, as the machine resolves it', async () => {
    const { port, received } = await startedReceiver();
    const send = createEndpointClient({ allowed: new AllowedTargets([`localhost:${port}`]) });
    expect(await send({ ...message, url: `http://localhost:${port}/` })).toMatchObject({ delivered: true });
    expect(received).toHaveLength(1);
  });

  it('verifies the certificate', async () => {
    const { url, received } = await startedReceiver(undefined, { tls: true });
    expect(await sendTo(url)).toMatchObject(failure('the certificate is not valid'));
    expect(received).toEqual([]);
  });

  it('accepts a certificate that somebody vouches for, for the names in it', async () => {
    const { url, port } = await startedReceiver(undefined, { tls: true });
    trustCertificate();
    const send = createEndpointClient({ allowed: new AllowedTargets(['127.0.0.0/8', `localhost:${port}`]) });
    expect(await send({ ...message, url })).toMatchObject({ delivered: true });
    expect(await send({ ...message, url: `https://localhost:${port}/` })).toMatchObject({ delivered: true });
    const mapped = await send({ ...message, url: `https://[::ffff:127.0.0.1]:${port}/` });
    expect(mapped).toMatchObject(failure('the certificate is not valid'));
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect of %i', async (status) => {
    const target = await startedReceiver();
    const url = await answering(status, { location: target.url });
    expect(await sendTo(url)).toMatchObject({ delivered: false, http_status: status });
    expect(target.connections()).toBe(0);
  });

  it.each([
    ['120', 120],
    [new Date(Date.now() + 90_000).toUTCString(), 90],
    ['soon', null],
    ['-5', null],
  ])('reads a Retry-After of %s', async (header, seconds) => {
    const { retryAfter } = await sendTo(await answering(503, { 'retry-after': header }));
    if (seconds === null) expect(retryAfter).toBeNull();
    else expect(Math.abs((retryAfter ?? 0) - seconds)).toBeLessThanOrEqual(2);
  });

  it.each(['9999999999', '9'.repeat(400)])('waits an hour for a Retry-After of %s', async (header) => {
    const { retryAfter } = await sendTo(await answering(429, { 'retry-after': header }));
    expect(nextDelay(0, retryAfter)).toBe(3_600);
    // the schedule is later: two hours, or a fifth less
    expect(nextDelay(3, retryAfter)).toBeGreaterThanOrEqual(5_760);
  });

  it.each<[string, string, string]>([
    ['never answers', '', ''],
    ['sends a head byte by byte', 'HTTP/1.1 200 OK\r\nx: ', 'x'],
    ['sends heads without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('gives up an endpoint that %s', async (_what, begin, repeated) => {
    const url = await rawServer((socket) => {
      socket.write(begin);
      const timer = setInterval(() => socket.write(repeated), 5);
      socket.once('close', () => clearInterval(timer));
    });
    const answer = await sendTo(url, { patience: 0.3 });
    expect(answer).toMatchObject(failure('no answer within 0.3 seconds'));
    expect(answer.duration_ms).toBeLessThan(2_000);
  });

  it('refuses a head that is too large', async () => {
    const url = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`));
    expect(await sendTo(url, { patience: 3 })).toMatchObject(failure('the head of the answer is too large'));
  });

  it.each([
    ['SSH-2.0-OpenSSH_9.2\r\n', 'the answer is not valid HTTP'],
    ['HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n', 'the answer is not valid HTTP'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'the answer is not valid HTTP'],
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', closed],
    ['', closed],
  ])('is a failure if the answer is %j', async (bytes, error) => {
    const url = await rawServer((socket) => socket.end(bytes));
    expect(await sendTo(url, { patience: 3 })).toMatchObject(failure(error));
  });

  it('keeps 1 KiB of an endless body, and does not read it further', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const { url } = await startedReceiver((response) => {
      response.once('close', closed.resolve);
      const more = () => {
        while (!response.destroyed && response.write('é'.repeat(5_000))) sent += 10_000;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const answer = await sendTo(url);
    expect(answer).toMatchObject({ delivered: true, http_status: 200, response: 'é'.repeat(512) });
    await closed.promise;
    expect(sent).toBeLessThan(20_000_000);
  });

  it('does not wait long for a slow body: the head decides', async () => {
    const { url } = await startedReceiver((response) => {
      response.writeHead(200).write('be');
      const timer = setInterval(() => response.write('e'), 400);
      response.once('close', () => clearInterval(timer));
    });
    const began = performance.now();
    const answer = await sendTo(url);
    expect(answer).toMatchObject({ delivered: true, response: expect.stringMatching(/^be/) });
    expect(answer.duration_ms).toBeLessThan(900);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it('keeps a body that is no text as text that can be stored', async () => {
    const { url } = await startedReceiver(
      (response) => void response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62])),
    );
    const { response } = await sendTo(url);
    expect(response).toMatch(/^a\ufffd+b$/);
    const noise = await startedReceiver((out) => void out.end(Buffer.alloc(3_000, 0xff)));
    const kept = await sendTo(noise.url);
    expect(Buffer.byteLength(kept.response ?? '')).toBeLessThanOrEqual(1024);
  });
});
