import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { AppError } from '@weir/errors';
import {
  createBinder,
  createJsonBodyReader,
  errorHandler,
  unknownRoute,
  type Logger,
  type Resource,
} from '@weir/service-kit';
import { hasErrors } from '@weir/workflow-spec';
import express, { Router, type Express } from 'express';
import type { SpecReader } from '../../dag-parser';
import { renderError } from '../../error-body';
import type { DagRunRepository, StartRun } from '../dag-runs';
import { specInvalid } from '../dags';
import { readRunHere, startRunHere, stopRunHere, type RunSnapshot } from './control-contract';
import { readRunSnapshot } from './run-snapshot';

export interface ControlServerOptions {
  /** Path of the socket. One that a dead server left is replaced, so only the owner of the database may call this. */
  readonly socket: string;
  readonly runs: DagRunRepository;
  readonly specs: SpecReader;
  readonly startRun: StartRun;
  /** Asks a run to end. */
  readonly stopRun: (id: string) => unknown;
  /** Whether queued runs are carried out in this process. */
  readonly withRunner: boolean;
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

function createControlApp({ runs, specs, startRun, stopRun, withRunner, logger }: ControlServerOptions): Express {
  const app = express();
  const router = Router();
  const bind = createBinder({
    router,
    // The socket's file lets nobody but its owner in.
    guard: () => Promise.resolve(undefined),
    readBody: createJsonBodyReader({ maxBytes: maxBodyBytes }),
  });
  const snapshotOf = async (id: string): Promise<RunSnapshot> => {
    const snapshot = await readRunSnapshot(runs, id);
    if (snapshot === undefined)
      throw new AppError('not_found', 'There is no such run.', { reason: 'dag_run_not_found' });
    return snapshot;
  };

  bind(startRunHere, async ({ input: { body } }) => {
    if (!withRunner) throw noRunner();
    const { dag, findings, baseTexts } = await specs.parse(body.specText, { name: body.name });
    if (hasErrors(findings)) throw specInvalid(findings);
    const { params, dagRunId, specText, fileName } = body;
    return snapshotOf((await startRun({ dag, specText, baseTexts, fileName }, { params, dagRunId })).id);
  });
  bind(readRunHere, ({ input }) => snapshotOf(input.params.id));
  bind(stopRunHere, ({ input }) => {
    stopRun(input.params.id);
    return undefined;
  });
  app.use(router, unknownRoute(), errorHandler({ logger, render: renderError, challenge: 'Bearer' }));
  return app;
}

function noRunner(): AppError {
  return new AppError('unavailable', 'The server that has the database carries out no runs: it serves the API alone.', {
    reason: 'runner_missing',
  });
}
