import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Request } from 'express';
import { expect, it } from 'vitest';
import type { Services } from '../../src/domain/services.ts';
import type { Context } from '../../src/engine/context.ts';
import type { Database } from '../../src/engine/database.ts';
import { Exchange } from '../../src/http/exchange.ts';
import type { Log } from '../../src/kernel/request.ts';
import { requestContext } from '../../src/main/app.ts';

function newContext(): Context {
  const request = new IncomingMessage(new Socket());
  new Exchange(request, new ServerResponse(request), { ip: '192.0.2.1', log: {} as Log });
  const options = {
    openDatabase: () => ({ db: {} as Database, end: () => undefined }),
    services: {} as Services,
    log: {} as Log,
  };
  return requestContext(options, request as Request);
}

it('gives a request a context without accessors, which V8 keeps for long (note 0034)', () => {
  setFlagsFromString('--allow-natives-syntax');
  const hasFastProperties = new Function('object', 'return %HasFastProperties(object)');
  expect(hasFastProperties(newContext())).toBe(true);
});
