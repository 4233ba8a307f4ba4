import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { endText, pathOf } from '#bounded-http';
import { toDomainError } from '../db/errors.ts';
import { statusOf } from '../http/errors.ts';
import { exchangeOf, withoutSecrets } from '../http/exchange.ts';
import { DomainError } from '../kernel/errors.ts';
import { ClientGone, type Log } from '../kernel/request.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { isPage } from '../pages/page-paths.ts';
import { sendProblem } from '../rest/server/problem.ts';
import { presentRefusedRequest } from '../schema/server/plugins/errors.ts';
import { responseType } from '../schema/server/plugins/response.ts';

/** Refuses a request before either API sees it, in the format of its API. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  fault: DomainError,
  publicUrl: string,
): void {
  const { requestId, path } = exchangeOf(request);
  const scope = { requestId, publicUrl };
  response.setHeader('cache-control', 'no-store');
  if (!/^\/graphql\/?$/.test(path)) {
    sendProblem(response, fault, scope);
    return;
  }
  response.statusCode = statusOf(fault);
  if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
  response.setHeader('content-type', `${responseType(request.headers.accept)}; charset=utf-8`);
  endText(response, JSON.stringify(presentRefusedRequest(fault, scope)));
}

/** For the errors of REST and the pages. */
export function errorHandler({ log, publicUrl }: { log: Log; publicUrl: string }) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (error instanceof ClientGone) {
      response.destroy();
      return;
    }
    const requestId = String(response.get('x-request-id'));
    // a path that is not percent-encoded UTF-8 does not exist
    const translated = error instanceof URIError ? new DomainError('NOT_FOUND') : toDomainError(error);
    const known = translated instanceof DomainError ? translated : null;
    if (!known || statusOf(known) >= 500) {
      log.error(
        { requestId, method: request.method, path: withoutSecrets(pathOf(request.originalUrl)), err: error },
        'request failed',
      );
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const shown = known ?? new DomainError('INTERNAL_SERVER_ERROR');
    const { usage } = exchangeOf(request);
    usage.addCode(shown.code);
    if (shown.code === 'RATE_LIMITED') usage.removeUnspentBudgets();
    if (isPage(pathOf(request.originalUrl))) sendErrorPage(response, shown, requestId);
    else sendProblem(response, shown, { requestId, publicUrl });
  };
}
