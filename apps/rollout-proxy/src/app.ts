import type { Endpoint } from '@weir/http-contract';
import {
  accessLog,
  createBinder,
  createJsonBodyReader,
  errorHandler,
  refuseOtherMethods,
  requestIds,
  serveUserInterface,
  unknownRoute,
  type Logger,
} from '@weir/service-kit';
import express, { Router, type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { AppError } from '@weir/foundation';
import type { ErrorResponse } from '@weir/rollout-contract';
import type { Bind } from './bind';
import { bindAdapterRoutes, type AdapterRoutesOptions } from './features/adapters';
import type { Authenticator, BrowserSessions } from './features/access';
import { bindCapacityRoutes } from './features/capacity';
import type { IdempotentAnswers } from './features/idempotency';
import { bindBrowserSessionRoutes, bindReadingRoutes, type ReadingRoutesOptions } from './features/reading';
import { bindScoringRoutes, type Scoring } from './features/scoring';
import { bindSessionRoutes, type Session } from './features/sessions';
import { bindMetricsRoute, bindSystemRoutes, type Metrics, type UpdateWeights } from './features/system';
import { bindExportRoutes } from './features/trajectories';

/** A router for each model protocol, with paths such as `/chat/completions`; errors in it are in the protocol's form. */
export interface ModelRouters {
  readonly chatCompletions: Router;
  readonly completions: Router;
  readonly responses: Router;
  readonly messages: Router;
  readonly generateContent: Router;
}

export interface AppOptions extends ReadingRoutesOptions, AdapterRoutesOptions {
  readonly authenticator: Authenticator<Session>;
  readonly browserSessions: BrowserSessions;
  readonly answers: IdempotentAnswers;
  readonly metrics: Metrics;
  readonly updateWeights: UpdateWeights;
  /** See `Adapters`. */
  readonly withAdapter: AdapterRoutesOptions['adapters']['during'];
  readonly scoring: Scoring;
  readonly models: ModelRouters;
  /** Answers operations whose session is in another process. */
  readonly affinity?: RequestHandler | undefined;
  /** Whether another process sends the answer on, with the headers that all answers have. */
  readonly isForwarded?: ((req: Request) => boolean) | undefined;
  /** The folder of the built viewer; missing if the viewer is not served. */
  readonly uiFolder: string | undefined;
  readonly logger: Logger;
}

/** Bodies of control operations hold some names and numbers. */
export const maxControlBodyBytes = 1024 * 1024;

/** Creates the HTTP application, which reads no environment and does not listen. */
export function createApp(options: AppOptions): Express {
  const { logger, metrics, models, uiFolder } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(
    requestIds(),
    accessLog(logger, () => performance.now()),
    metrics.observe,
  );
  const secure = helmet();
  app.use((req, res, next) => {
    if (options.isForwarded?.(req) === true) {
      next();
      return;
    }
    // Answers hold keys and conversations.
    res.set('cache-control', 'no-store');
    secure(req, res, next);
  });
  const { chatCompletions, completions, responses, messages, generateContent } = models;
  app.use('/v1beta', generateContent);
  // Clients differ in whether their base URL ends in /v1.
  for (const router of [chatCompletions, completions, responses, messages, generateContent]) {
    app.use('/v1', router);
    app.use(router);
  }
  if (uiFolder !== undefined) serveViewer(app, uiFolder);
  if (options.affinity !== undefined) app.use(options.affinity);
  app.use(controlRouter(options));
  app.use(unknownRoute());
  app.use(errorHandler({ logger, render: renderError, challenge: 'Bearer realm="weir-rollout"' }));
  return app;
}

const uiPath = '/ui';

/** The viewer is not at the root, whose paths belong to the operations; a browser is redirected to it. */
function serveViewer(app: Express, folder: string): void {
  app.use(uiPath, serveUserInterface({ folder, basePath: uiPath }));
  app.get('/', (_req, res) => res.redirect(`.${uiPath}/`));
}

function controlRouter(options: AppOptions): Router {
  const { authenticator, sessions, ledger, exports, answers, metrics, logger } = options;
  const router = Router({ caseSensitive: true });
  const readBody = createJsonBodyReader({ maxBytes: maxControlBodyBytes });
  const bindRoute = createBinder({
    router,
    guard: authenticator.guard,
    readBody,
    openRecord: () => ({ given: {} }),
  });
  const bound: Endpoint[] = [];
  const bind: Bind = (endpoint, handler) => {
    bound.push(endpoint);
    bindRoute(endpoint, handler);
  };
  bindCapacityRoutes(bind, { ledger, answers });
  bindSessionRoutes(bind, { ...options, service: sessions });
  bindAdapterRoutes(bind, options);
  bindExportRoutes(bind, { exports, sessions, answers, logger });
  bindScoringRoutes(bind, { scoring: options.scoring, sessions, answers });
  bindReadingRoutes(bind, options);
  bindBrowserSessionRoutes(bind, { ...options, mayRead: authenticator.mayRead });
  bindMetricsRoute(bind, metrics);
  bindSystemRoutes(bind, options);
  refuseOtherMethods(router, bound);
  return router;
}

/** The error body of control operations. The model protocols have their own. */
function renderError(error: AppError, requestId: string): ErrorResponse {
  return {
    detail: error.message,
    message: error.message,
    code: error.code,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(requestId === '' ? {} : { requestId }),
  };
}
