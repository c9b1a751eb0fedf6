import { AppError } from '@weir/foundation';
import { createRecordingLogger, type RecordingLogger } from '@weir/test-kit';
import express, { type RequestHandler } from 'express';
import { errorHandler } from '../../http/error-handler';
import { listenHttp, type HttpServer } from '../../http/http-server';
import { requestIds } from '../../http/request-id';
import { createBinder, type AccessGuard, type BindEndpoint } from '../bind-endpoint';
import { createJsonBodyReader } from '../json-body';

export interface Caller {
  readonly name: string;
}

/** What the wrapper of calls gives to handlers. */
interface Given {
  readonly calledAs: string;
}

export const admin: AccessGuard<Caller> = () => Promise.resolve({ name: 'ada' });
export const nobody: AccessGuard<Caller> = () => Promise.reject(new AppError('unauthenticated', 'Log in.'));

export const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});

/** The server of the current case. */
export interface BoundServerInUse {
  readonly server: HttpServer;
  readonly logger: RecordingLogger;
  /** Starts it with these endpoints, for the admin unless another guard is given. */
  readonly serve: (
    bindAll: (bind: BindEndpoint<Caller, Given>) => void,
    guard?: AccessGuard<Caller>,
    ...before: RequestHandler[]
  ) => Promise<void>;
  readonly call: (path: string, init?: RequestInit) => Promise<{ status: number; body: unknown }>;
}

/** Stops all servers of a case after it. */
export function useBoundServer(): BoundServerInUse {
  let server: HttpServer;
  let logger: RecordingLogger;
  afterEach(() => server.stop());

  return {
    get server() {
      return server;
    },
    get logger() {
      return logger;
    },
    serve: async (bindAll, guard = admin, ...before) => {
      logger = createRecordingLogger();
      const router = express.Router();
      bindAll(
        createBinder({
          router,
          guard,
          readBody: createJsonBodyReader({ maxBytes: 1000 }),
          openRecord: ({ endpoint }) => ({ given: { calledAs: endpoint.operationId } }),
          // Access is checked before each event, and soon if there are none.
          streamChecks: { beforeEventMs: 0, idleMs: 20 },
        }),
      );
      const app = express();
      app.use(requestIds());
      app.use('/api', ...before, router);
      app.use(
        errorHandler({
          logger,
          challenge: 'Bearer',
          render: ({ code, reason, message, details }, requestId) => ({ code, reason, message, details, requestId }),
        }),
      );
      server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 0 });
    },
    call: async (path, init = {}) => {
      const response = await fetch(`${server.url}/api${path}`, { ...init, signal: AbortSignal.timeout(5000) });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
  };
}
