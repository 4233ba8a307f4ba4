import { pathOf } from '../http/exchange.ts';
import type { PresentRefusal } from '../http/refusal.ts';
import { presentProblem, problemType } from '../rest/server/problem.ts';
import { presentRefusedRequest } from '../schema/server/plugins/errors.ts';
import { responseType } from '../schema/server/plugins/response.ts';

/**
 * Formats the refusal of a request that no face sees in the way of the face that it was meant for.
 *
 * @param publicUrl known once the service listens
 */
export function refusalPresenter(publicUrl: () => string): PresentRefusal {
  return (error, { target, accept, requestId }) => {
    const graphql = /^\/graphql\/?$/.test(pathOf(target));
    const present = graphql ? presentRefusedRequest : presentProblem;
    const body = JSON.stringify(present(error, { requestId, publicUrl: publicUrl() }));
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
}
