import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answersOf, openRaw } from '../support/raw.ts';
import { serve } from '../support/server.ts';

const env = { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1', KEEP_ALIVE_SECONDS: '1' };
const server = await serve({ env });

const messages = [
  'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'DELETE /auth/sessions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nt: x\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\nabc',
  'GET / HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];
const parts = ['\r\n', '\n', '\r', '\0', ' ', ':', '0', 'f', '\xff', 'connection: close\r\n', 'HTTP/1.0'];
const lengths = ['transfer-encoding: chunked\r\n', 'content-length: 7\r\n', 'x'.repeat(200_000)];

/** Something put into a text, or some of it left out, at a place of it. */
const edit = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat(4),
  insert: fc.constantFrom('', '', ...parts, ...lengths, ...messages),
});
const sent = fc.record({
  messages: fc.array(fc.constantFrom(...messages), { minLength: 1, maxLength: 4 }),
  edits: fc.array(edit, { maxLength: 4 }),
  ending: fc.constantFrom('wait', 'wait', 'end', 'reset'),
});

it('whatever comes, a connection ends by itself, and all that is written on it are well-formed answers', async () => {
  const samples = fc.sample(sent, { numRuns: 300, seed: 12 });
  await Promise.all(
    samples.map(async ({ messages: chosen, edits, ending }) => {
      const text = edits.reduce((before, { place, drop, insert }) => {
        const at = Math.floor(place * before.length);
        return before.slice(0, at) + insert + before.slice(at + drop);
      }, chosen.join(''));
      const { socket, ended } = await openRaw(server.url);
      socket.write(Buffer.from(text, 'latin1'));
      if (ending === 'end') socket.end();
      if (ending === 'reset') socket.resetAndDestroy();
      for (const { status, body, headers } of answersOf(await ended)) {
        expect([100, 200, 204, 400, 401, 404, 405, 413, 415, 503]).toContain(status);
        if (status < 400) continue;
        const { code, errors } = JSON.parse(body);
        expect([code ?? errors[0].extensions.code, headers['x-request-id']]).toEqual([
          expect.stringMatching(/^[A-Z_]+$/),
          expect.stringMatching(/./),
        ]);
      }
    }),
  );
  expect(server.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
