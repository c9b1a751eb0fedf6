import { createLogger, startService, waitForStopSignal } from '@weir/service-kit';
import { createWorkflow } from '../composition';
import { openStore } from '../store';
import type { StoreCommand } from './program-host';

/**
 * Follows schedules and carries out runs, without an API, until a stop signal comes; returns the exit code. Rejects
 * when the start fails.
 */
export async function runScheduler(options: StoreCommand): Promise<number> {
  const { config, print, signals } = options;
  const logger = createLogger(config.log);
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...options, logger }, add);
      const workflow = add(await createWorkflow({ ...options, logger }, database));
      await workflow.start({ withWorker: true });
      logger.info({ dagsFolder: config.dags.folder }, 'following schedules');
      if (config.log.format !== 'json') print(`Weir follows the schedules of ${config.dags.folder}`);
    },
  });
  return waitForStopSignal(service, signals, logger);
}
