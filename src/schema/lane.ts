import type { Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import type { ResponseType } from './media-type.ts';

/**
 * Writes a result as Yoga does, byte for byte: one with errors through Yoga's own words, any other directly.
 *
 * @param result the text of it where it is one already
 */
export async function writeResult(
  response: Response,
  result: ExecutionResult | string,
  type: ResponseType,
  fetchAPI: FetchAPI,
): Promise<void> {
  if (typeof result !== 'string' && result.errors) {
    await writeResponse(response, processRegularResult(result, fetchAPI, type));
    return;
  }
  const body = typeof result === 'string' ? result : JSON.stringify(result);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** Writes what Yoga answers. */
export async function writeResponse(response: Response, answer: globalThis.Response): Promise<void> {
  const body = await answer.text();
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}
