import type { RequestHandler } from 'express';
import type { createWorkerGateway, WorkerGatewayPorts } from './worker-gateway';

export interface ServeWorkersPorts extends WorkerGatewayPorts {
  /** Called with the first request. */
  readonly load: () => Promise<{ readonly createWorkerGateway: typeof createWorkerGateway }>;
}

/** Serves the workers that have no database. */
export function serveWorkers({ load, ...ports }: ServeWorkersPorts): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  return async (req, res, next) => {
    loading ??= load().then((parts) => parts.createWorkerGateway(ports));
    await (
      await loading
    )(req, res, next);
  };
}
