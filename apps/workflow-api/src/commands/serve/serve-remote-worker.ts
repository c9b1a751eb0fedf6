import { once } from 'node:events';
import { AppError } from '@weir/foundation';
import { createLogger, limitHeapGrowth, startService, waitForStopSignal } from '@weir/service-kit';
import { limitYoungHeap } from '../../adapters/limit-young-heap';
import { releaseIdleMemory } from '../../adapters/release-idle-memory';
import type { Config } from '../../config';
import { prepareHome } from '../../installation/home-folder';
import { createRemoteWorker, type RemoteWorker } from '../../remote-worker/create-remote-worker';
import type { StoreCommand } from '../shared/program-host';

const stopMs = 30_000;

/**
 * Executes runs of a server until a stop signal comes, or until the server does not know the token any more. Returns the
 * exit code. Rejects when the server cannot be reached at the start.
 */
export async function serveRemoteWorker(
  options: Omit<StoreCommand, 'context'>,
  { url, readToken }: NonNullable<Config['server']>,
): Promise<number> {
  const { config, signals, print, serverLogDestination: destination } = options;
  const logger = createLogger({ ...config.log, ...(destination && { destination }) });
  limitYoungHeap();
  let worker: RemoteWorker | undefined;
  const service = await startService({
    logger,
    stopTimeoutMs: stopMs + config.worker.drainMs,
    start: async (add) => {
      await prepareHome(config.home);
      worker = add(await createRemoteWorker({ ...options, logger }, { url, token: await readToken() }));
      await worker.start();
      limitHeapGrowth();
      add(releaseIdleMemory());
      if (config.log.format !== 'json') print(`Weir executes queued runs of ${url}`);
    },
  });
  if (worker === undefined) throw new AppError('internal', 'The worker did not start.');
  const { refused } = worker;
  return Promise.race([
    waitForStopSignal(service, signals, logger),
    untilAborted(refused).then(async () => {
      logger.error({ server: url }, 'the server does not know the worker token any more');
      await service.stop();
      return 1;
    }),
  ]);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
