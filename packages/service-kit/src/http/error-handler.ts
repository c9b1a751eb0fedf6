import { AppError, causeChain, isAppError, toAppError } from '@weir/foundation';
import { toHttpStatus } from '@weir/http-contract';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from '../logging/logger';
import { addRequestDetails } from './request-details';
import { getRequestId } from './request-id';

/** Converts a failure to the body of one wire protocol. */
export type ErrorRenderer = (error: AppError, requestId: string) => unknown;

export interface ErrorHandlerOptions {
  readonly logger: Logger;
  readonly render: ErrorRenderer;
  /** Header of every 401 that has none: `Bearer realm="…"`. */
  readonly challenge: string;
}

/**
 * The last handler of an application. An error that is no `AppError` is answered as `internal`, without its message.
 * Logs `internal` as error, and failures of dependencies (502, 503, 504) as warning, with stack and causes. A number in
 * `details.retryAfterSeconds` becomes the `Retry-After` header, a list in `details.allow` the `Allow` header.
 */
export function errorHandler({ logger, render, challenge }: ErrorHandlerOptions): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (caught: unknown, req, res, _next) => {
    const error = fromExpress(caught);
    const requestId = getRequestId(req);
    // The handler stopped because the client disconnected, so an answer or a report would be useless.
    if (res.closed && causeChain(caught).some(isAbort)) return;
    log(logger, error, { requestId, method: req.method, error: caught });
    if (res.headersSent) {
      breakOff();
      return;
    }
    if (error.code === 'unauthenticated' && !res.hasHeader('www-authenticate')) res.set('www-authenticate', challenge);
    const retryAfter = error.details?.retryAfterSeconds;
    const allow = error.details?.allow;
    if (Array.isArray(allow)) res.set('allow', allow.join(', '));
    if (Number.isFinite(retryAfter)) res.set('retry-after', String(Math.max(1, Math.ceil(Number(retryAfter)))));
    res.status(toHttpStatus(error.code)).json(render(error, requestId));

    // Half an answer is out; closing the connection is the only way left to say that it is not whole.
    function breakOff(): void {
      if (res.writableEnded || res.closed) return;
      addRequestDetails(req, { status: toHttpStatus(error.code) });
      res.destroy();
    }
  };
}

/** Answers what no route took. */
export function unknownRoute(): RequestHandler {
  return (req: Request) => {
    throw new AppError('not_found', `There is no ${req.method} operation at this address.`, {
      reason: 'route_not_found',
    });
  };
}

function log(logger: Logger, error: AppError, fields: Readonly<Record<string, unknown>>): void {
  if (error.code === 'internal') logger.error(fields, 'request failed');
  else if (['upstream_failed', 'upstream_timeout', 'unavailable'].includes(error.code)) {
    logger.warn(fields, 'request failed');
  }
}

function isAbort(link: unknown): boolean {
  return typeof link === 'object' && link !== null && 'name' in link && link.name === 'AbortError';
}

/** Express itself fails with a plain `URIError` when the percent-encoding of a path is broken. */
function fromExpress(caught: unknown): AppError {
  if (isAppError(caught) || !(caught instanceof URIError && 'status' in caught)) return toAppError(caught);
  return new AppError('invalid_request', 'The address is not valid.', { reason: 'address_invalid', cause: caught });
}
