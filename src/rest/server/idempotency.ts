import type { Request, Response } from 'express';
import { endText } from '#bounded-http';
import type { Needs } from '../../engine/command.ts';
import type { Context } from '../../engine/context.ts';
import { type Answer, answerOnce } from '../../engine/idempotency/idempotency.ts';
import { onlyValue } from '../../http/incoming.ts';
import type { ParameterDoc, Route } from './route.ts';

/** Stored for retries. */
const keptHeaders = ['content-type', 'location', 'etag'] as const;

/** Reads take none: anyone could fill the database with responses (reference/writes.md#idempotency-keys). */
export function takesKey({ method, path, safe, runs }: Pick<Route, 'method' | 'path' | 'safe' | 'runs'>): boolean {
  return method !== 'get' && !safe && !path.startsWith('/auth/') && !runs?.command.callsOut;
}

export const idempotencyKeyDoc: ParameterDoc = {
  name: 'idempotency-key',
  in: 'header',
  description:
    'Makes the request safe to retry: for 24 hours, a request with the same key gets the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

interface OnceOptions {
  ctx: Context;
  /** All `Idempotency-Key` headers. */
  given: readonly string[];
  needs: Needs;
  /** How many of the viewer's writes it counts as. */
  writes: number;
  /** Whether the response shows a secret. */
  secret: boolean;
  /** The raw body. */
  bytes: Buffer;
  request: Request;
  response: Response;
  /** Returns the response's JSON; writes in the context's transaction. */
  handle(ctx: Context): Promise<unknown>;
}

export async function sendOnce(options: OnceOptions): Promise<void> {
  const { ctx, given, needs, writes, secret, bytes, request, response, handle } = options;
  const used = [request.method, request.originalUrl, bytes];
  const asked = { key: onlyValue(given), request: used, writes, needs: [needs], secret };
  try {
    const { answer, replayed } = await answerOnce(ctx, asked, async (tx) => {
      const body = JSON.stringify(await handle(tx));
      response.setHeader('content-type', 'application/json; charset=utf-8');
      return { answer: { outcome: response.statusCode, attributes: headersOf(response), body }, keep: true };
    });
    if (replayed) response.set('idempotency-replayed', 'true');
    send(response, answer);
  } catch (error) {
    // the write was rolled back
    for (const name of keptHeaders) response.removeHeader(name);
    throw error;
  }
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = response.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function send(response: Response, { outcome, attributes, body }: Answer): void {
  response.status(outcome).set(attributes);
  endText(response, body);
}
