import { toAppError } from '@weir/foundation';
import { errorHandler, getRequestId, refuseOtherMethods, type Logger } from '@weir/service-kit';
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Conversations, ModelProtocol, Protocol, ReadCall } from '@weir/rollout-engine';
import { createModelRoute, type ModelRouteOptions } from './model-route';

const paths: Readonly<Record<Protocol, string>> = {
  'chat-completions': '/chat/completions',
  completions: '/completions',
  responses: '/responses',
  messages: '/messages',
  'generate-content': String.raw`/models/*model\:generateContent`,
};

export const streamGenerateContentPath = String.raw`/models/*model\:streamGenerateContent`;

/**
 * A router with the model route of a protocol and `more` POST routes by their path. All errors have the form of the
 * protocol. It is mounted under the version of the protocol and `/`.
 */
export function createProtocolRouter<Session extends Conversations, Call extends ReadCall>(
  protocol: ModelProtocol<Call>,
  options: ModelRouteOptions<Session>,
  more: Readonly<Record<string, RequestHandler>> = {},
): Router {
  const router = Router({ caseSensitive: true });
  const routes = { [paths[protocol.name]]: createModelRoute(protocol, options), ...more };
  for (const [path, route] of Object.entries(routes)) {
    // Clients of this protocol expect the request id in another header.
    if (protocol.name === 'messages') router.post(path, nameRequest);
    if (options.affinity !== undefined) router.post(path, options.affinity);
    router.post(path, route);
  }
  refuseOtherMethods(
    router,
    Object.keys(routes).map((path) => ({ method: 'POST', path })),
  );
  router.use(protocolErrors(protocol, options.logger));
  return router;
}

const nameRequest: RequestHandler = (req, res, next) => {
  res.set('request-id', getRequestId(req));
  next();
};

function protocolErrors<Call extends ReadCall>(protocol: ModelProtocol<Call>, logger: Logger): ErrorRequestHandler {
  const answer = errorHandler({
    logger,
    render: (error, requestId) => protocol.errorBody(error, requestId),
    challenge: 'Bearer realm="weir-rollout"',
  });
  return (caught: unknown, req, res, next) => {
    // The SDKs retry these, as if a conflict were a lock; here a retry would fail again.
    const { code } = toAppError(caught);
    if ((code === 'conflict' || code === 'not_implemented') && !res.headersSent) res.set('x-should-retry', 'false');
    answer(caught, req, res, next);
  };
}
