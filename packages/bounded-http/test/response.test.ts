import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { whenAnswered } from '../src/index.ts';

it('gives a response an `end` that V8 allocates in the young generation, so that it keeps no request for long (note 0034)', () => {
  setFlagsFromString('--allow-natives-syntax');
  const isYoung = new Function('object', 'return %InYoungGeneration(object)');
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  whenAnswered(response, () => undefined);
  expect(isYoung(response.end)).toBe(true);
});
