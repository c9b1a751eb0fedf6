import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger';
import { getRequestDetails } from './request-details';
import { getRequestId } from './request-id';

// The status that proxies commonly log when the client disconnected before the answer was sent.
const clientClosedRequest = 499;

/**
 * Logs one line per request: method, route pattern (`unknown` when no endpoint took it), status (499 when the client
 * disconnected first), duration, request id and, if known, principal id. The address itself is never logged, because it
 * may hold a token.
 */
export function accessLog(logger: Logger, now: () => number): RequestHandler {
  return (req, res, next) => {
    const startedAt = now();
    res.once('close', () => {
      const { route = 'unknown', principalId, status: known, isRoutine = false } = getRequestDetails(req);
      const status = known ?? (res.writableFinished ? res.statusCode : clientClosedRequest);
      logger[isRoutine && status < 400 ? 'debug' : 'info'](
        {
          method: req.method,
          route,
          status,
          durationMs: Math.round(now() - startedAt),
          requestId: getRequestId(req),
          ...(principalId === undefined ? {} : { principalId }),
        },
        'request',
      );
    });
    next();
  };
}
