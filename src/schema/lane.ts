import type { Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { type FetchAPI, processRegularResult } from 'graphql-yoga';
import type { ResponseType } from './media-type.ts';

/** Writes a result as Yoga does, byte for byte: one with errors through Yoga's own words, any other directly. */
export async function writeResult(
  response: Response,
  result: ExecutionResult,
  type: ResponseType,
  fetchAPI: FetchAPI,
): Promise<void> {
  if (result.errors) {
    const answer = processRegularResult(result, fetchAPI, type);
    const body = await answer.text();
    response.statusCode = answer.status;
    answer.headers.forEach((value, name) => {
      response.setHeader(name, value);
    });
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  const body = JSON.stringify(result);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}
