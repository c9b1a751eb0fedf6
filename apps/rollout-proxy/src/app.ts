import type { Endpoint } from '@weir/http-contract';
import {
  accessLog,
  createBinder,
  createJsonBodyReader,
  errorHandler,
  refuseOtherMethods,
  requestIds,
  unknownRoute,
  type Logger,
} from '@weir/service-kit';
import express, { Router, type Express } from 'express';
import helmet from 'helmet';
import type { Bind } from './bind';
import { renderError } from './error-body';
import type { Authenticator, Caller } from './features/access';
import { bindCapacityRoutes, type CapacityLedger } from './features/capacity';
import type { IdempotentAnswers } from './features/idempotency';
import { bindSessionRoutes, type Session, type SessionService, type SessionStore } from './features/sessions';
import {
  bindMetricsRoute,
  bindSystemRoutes,
  type EngineGate,
  type Metrics,
  type UpdateWeights,
  type WeightVersion,
} from './features/system';
import { bindExportRoutes, type ExportService } from './features/trajectories';

/** A router for each model protocol, with paths such as `/chat/completions`; errors in it are in the protocol's form. */
export interface ModelRouters {
  readonly chatCompletions: Router;
  readonly responses: Router;
  readonly messages: Router;
}

export interface AppOptions {
  readonly authenticator: Authenticator<Session>;
  readonly sessions: SessionService;
  readonly store: SessionStore;
  readonly ledger: CapacityLedger;
  readonly exports: ExportService;
  readonly answers: IdempotentAnswers;
  readonly metrics: Metrics;
  readonly engine: EngineGate;
  readonly weightVersion: WeightVersion;
  readonly updateWeights: UpdateWeights;
  readonly models: ModelRouters;
  readonly modelName: string;
  readonly startedAtMs: number;
  readonly notReady: () => string | undefined;
  readonly logger: Logger;
}

/** Bodies of control operations hold some names and numbers. */
const maxControlBodyBytes = 1024 * 1024;

/** The HTTP application: no environment, no listening. */
export function createApp(options: AppOptions): Express {
  const { logger, metrics, models } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(
    requestIds(),
    accessLog(logger, () => performance.now()),
    metrics.observe,
    helmet(),
  );
  app.use((_req, res, next) => {
    // Answers hold keys and conversations.
    res.set('cache-control', 'no-store');
    next();
  });
  // Clients differ in whether their base URL ends in /v1.
  for (const router of [models.chatCompletions, models.responses, models.messages]) {
    app.use('/v1', router);
    app.use(router);
  }
  app.use(controlRouter(options));
  app.use(unknownRoute());
  app.use(errorHandler({ logger, render: renderError, challenge: 'Bearer realm="weir-rollout"' }));
  return app;
}

function controlRouter(options: AppOptions): Router {
  const { authenticator, sessions, store, ledger, exports, answers, metrics, logger } = options;
  const router = Router({ caseSensitive: true });
  const readBody = createJsonBodyReader({ maxBytes: maxControlBodyBytes });
  const bindRoute = createBinder<Caller<Session>>({ router, guard: authenticator.guard, readBody });
  const bound: Endpoint[] = [];
  const bind: Bind = (endpoint, handler) => {
    bound.push(endpoint);
    bindRoute(endpoint, handler);
  };
  bindCapacityRoutes(bind, { ledger, answers });
  bindSessionRoutes(bind, { service: sessions, store, answers });
  bindExportRoutes(bind, { exports, sessions, answers, logger });
  bindMetricsRoute(bind, metrics);
  bindSystemRoutes(bind, options);
  refuseOtherMethods(router, bound);
  return router;
}
