import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { toDomainError } from '../db/errors.ts';
import { statusOf } from '../http/errors.ts';
import { exchangeOf, pathOf, withoutSecrets } from '../http/exchange.ts';
import type { PresentRefusal } from '../http/refusal.ts';
import { DomainError } from '../kernel/errors.ts';
import { ClientGone, type Log } from '../kernel/request.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { isPage } from '../pages/page-paths.ts';
import { sendProblem } from '../rest/server/problem.ts';

/** Refuses a request before any face sees it, because it is malformed or exceeds a limit. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  fault: DomainError,
  presentRefusal: PresentRefusal,
): void {
  const { requestId } = exchangeOf(request);
  const { headers, body } = presentRefusal(fault, {
    target: request.url ?? '',
    accept: request.headers.accept,
    requestId,
  });
  response.writeHead(statusOf(fault), headers).end(body);
}

/** Answers for what REST and the pages throw. */
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
    exchangeOf(request).usage.addCode(shown.code);
    if (isPage(pathOf(request.originalUrl))) sendErrorPage(response, shown, requestId);
    else sendProblem(response, shown, { requestId, publicUrl });
  };
}
