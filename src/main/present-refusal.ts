import { pathOf } from '../http/exchange.ts';
import type { PresentRefusal } from '../http/refusal.ts';
import { presentProblem, problemType } from '../rest/server/problem.ts';
import { presentRefusedRequest } from '../schema/server/errors.ts';
import { responseType } from '../schema/server/response.ts';

/** The refusal of a request that no face sees, in the format of the face that it was meant for. */
export const presentRefusal: PresentRefusal = (error, { target, accept, requestId }) => {
  const graphql = /^\/graphql\/?$/.test(pathOf(target));
  const body = JSON.stringify(graphql ? presentRefusedRequest(error, requestId) : presentProblem(error, requestId));
  return {
    headers: {
      'cache-control': 'no-store',
      'content-type': graphql ? `${responseType(accept)}; charset=utf-8` : problemType,
      'content-length': String(Buffer.byteLength(body)),
      ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
    },
    body,
  };
};
