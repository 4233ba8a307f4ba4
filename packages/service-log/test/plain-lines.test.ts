import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { plainLine } from '../src/index.ts';

/** The line without colours and without the time. */
const shown = (fields: object) => {
  const json = JSON.stringify({ level: 30, time: Date.UTC(2031, 4, 3), pid: 1, hostname: 'here', ...fields });
  return stripVTControlCharacters(plainLine(json)).replace(/^\d\d:\d\d:\d\d /, '');
};

it('says in a plain line what happened, and shows what is worth knowing', () => {
  expect(shown({ msg: 'opening the database' })).toBe('opening the database\n');
  expect(shown({ msg: 'stopping', signal: 'SIGINT', drainSeconds: 0 })).toBe('stopping signal=SIGINT drainSeconds=0\n');
  expect(shown({ msg: 'ready on http://localhost:3000', url: 'http://127.0.0.1:3000' })).toBe(
    'ready on http://localhost:3000\n',
  );
});

it('shows a request by its method, path, status and time, and the fault if there is one', () => {
  const request = { msg: 'request', requestId: 'r', ip: '::1', method: 'GET', path: '/events', outcome: 'answered' };
  expect(shown({ ...request, status: 200, ms: 12.4 })).toBe('GET /events 200 12 ms\n');
  expect(shown({ ...request, status: 404, ms: 1, fault: 'It does not exist.' })).toBe(
    'GET /events 404 1 ms fault=It does not exist.\n',
  );
  expect(shown({ ...request, ms: 5 })).toBe('GET /events aborted 5 ms\n');
});

it('marks warnings and failures, and shows where a failure happened', () => {
  expect(shown({ level: 40, msg: 'the disk is nearly full', free: { bytes: 1 } })).toBe(
    'warning: the disk is nearly full free={"bytes":1}\n',
  );
  const err = { message: 'No.', stack: 'Error: No.\n    at here' };
  expect(shown({ level: 50, msg: 'request failed', err })).toBe('error: request failed\nError: No.\n    at here\n');
});
