import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { AppError } from '@weir/errors';
import {
  createBinder,
  createJsonBodyReader,
  errorHandler,
  unknownRoute,
  type BindEndpoint,
  type Logger,
  type Resource,
} from '@weir/service-kit';
import express, { Router, type Express } from 'express';
import { renderError } from '../../error-body';
import { readRunHere, startRunHere, stopRunHere } from './control-contract';
import {
  completeHere,
  decideHere,
  dequeueHere,
  enqueueHere,
  gatesHere,
  historyHere,
  paramsOfHere,
  removeHere,
  retryHere,
  statusHere,
  stopHere,
  suspendedHere,
} from './control-endpoints';
import { snapshotOf, startStored, type RunControl, type RunControlDependencies } from './run-control';

export interface ControlServerOptions extends Pick<RunControlDependencies, 'runs' | 'specs' | 'startRun'> {
  /** Path of the socket. One that a dead server left is replaced, so only the owner of the database may call this. */
  readonly socket: string;
  readonly control: RunControl;
  /** Asks a run to end. */
  readonly stopRun: (id: string) => Promise<unknown>;
  /** What this process does with queued runs: only `all` takes them. */
  readonly carriesOut: 'all' | 'none' | 'its own';
  readonly logger: Logger;
}

const maxBodyBytes = 8 * 1024 * 1024;

/**
 * Listens for `weir start` of the same user. Where that cannot be done, the server runs without it and
 * says so in its log.
 */
export async function startControlServer(options: ControlServerOptions): Promise<Resource | undefined> {
  const { socket, logger } = options;
  const server = createServer({ requestTimeout: 10_000 }, createControlApp(options));
  try {
    await rm(socket, { force: true });
    await listen(server, socket);
    await chmod(socket, 0o600);
  } catch (error) {
    logger.warn({ socket, error }, 'control socket is not available');
    server.close();
    return undefined;
  }
  return {
    name: 'control socket',
    stop: () =>
      new Promise((resolve) => {
        // Closing removes the socket's file. The callback's only failure is that it was closed before.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function createControlApp(options: ControlServerOptions): Express {
  const { runs, stopRun, carriesOut, control, logger } = options;
  const app = express();
  const router = Router();
  const bind = createBinder({
    router,
    // The socket's file lets nobody but its owner in.
    guard: () => Promise.resolve(undefined),
    readBody: createJsonBodyReader({ maxBytes: maxBodyBytes }),
  });
  bind(startRunHere, async ({ input: { body } }) => {
    if (carriesOut !== 'all') throw noRunner(carriesOut);
    return snapshotOf(runs, (await startStored(options, body, { isImmediate: true })).id);
  });
  bind(readRunHere, ({ input }) => snapshotOf(runs, input.params.id));
  bind(stopRunHere, async ({ input }) => {
    await stopRun(input.params.id);
    return undefined;
  });
  bind(retryHere, async ({ input: { body } }) => {
    // Who asks follows the run.
    if (carriesOut !== 'all') throw noRunner(carriesOut);
    return control.retry(body);
  });
  bindControl(bind, control);
  app.use(router, unknownRoute(), errorHandler({ logger, render: renderError, challenge: 'Bearer' }));
  return app;
}

function bindControl(bind: BindEndpoint<undefined>, control: RunControl): void {
  bind(enqueueHere, ({ input: { body } }) => control.enqueue(body));
  bind(statusHere, ({ input: { body } }) => control.status(body));
  bind(historyHere, async ({ input: { body } }) => ({ runs: [...(await control.history(body))] }));
  bind(stopHere, async ({ input: { body } }) => ({ runs: [...(await control.stop(body))] }));
  bind(dequeueHere, async ({ input: { body } }) => ({ runs: [...(await control.dequeue(body))] }));
  bind(removeHere, ({ input: { body } }) => control.remove(body));
  bind(paramsOfHere, ({ input: { body } }) => control.paramsOf(body));
  bind(gatesHere, async ({ input: { body } }) => ({ gates: [...(await control.gates(body))] }));
  bind(completeHere, ({ input: { body } }) => control.complete(body));
  bind(decideHere, ({ input: { body } }) => control.decide(body));
  bind(suspendedHere, async () => ({ fileNames: [...(await control.suspended())] }));
}

function noRunner(carriesOut: 'none' | 'its own'): AppError {
  if (carriesOut === 'its own') {
    return new AppError('unavailable', 'The process that has the database carries out a run of its own.', {
      reason: 'runner_busy',
    });
  }
  return new AppError('unavailable', 'The server that has the database carries out no runs: it serves the API alone.', {
    reason: 'runner_missing',
  });
}
