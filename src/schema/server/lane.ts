import type { Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import { endText } from '../../http/end-text.ts';
import type { ResponseType } from './media-type.ts';

/**
 * Writes a result exactly like Yoga: with errors through Yoga itself, otherwise directly.
 *
 * @param result the result, or its JSON text
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
  endText(response, body);
}

/** Writes a response of Yoga. */
export async function writeResponse(response: Response, answer: globalThis.Response): Promise<void> {
  const body = await answer.text();
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  endText(response, body);
}
