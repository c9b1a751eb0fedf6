import { AppError } from '@weir/errors';
import { startService } from '@weir/service-kit';
import type { Application } from '../../composition';
import { connectWithin, createLocalClient, type WorkflowClient } from '../../local-api';
import { createDatabaseApplication, createLocalApp, serveLocally } from '../../server';
import { openStore } from '../../store';
import type { StoreCommand } from '../shared/program-host';
import { quietLogger } from './quiet-logger';

export interface OwnApplication {
  readonly application: Application;
  readonly client: WorkflowClient;
}

/** Opens the database in this process for the time of `work`. Throws `database_in_use` when another process has it. */
export function withOwnApplication<Result>(
  command: StoreCommand,
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  return run(command, () => Promise.resolve(), work);
}

/** The same for a command that executes runs: meanwhile other commands reach this process by the control socket. */
export function withOwnWorker<Result>(
  command: StoreCommand,
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  return run(command, (application) => application.startForSingleRuns(), work);
}

async function run<Result>(
  command: StoreCommand,
  prepare: (application: Application) => Promise<void>,
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  const logger = quietLogger(command);
  const options = { ...command, logger };
  let application: Application | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore(options, add);
      application = await createDatabaseApplication(options, database, add);
      await prepare(application);
      if (database.provider === 'sqlite') {
        await serveLocally({ config: command.config, logger, features: [application] }, add);
      }
    },
  });
  try {
    if (application === undefined) throw new AppError('internal', 'The application did not start.');
    const listener = createLocalApp({ logger, features: [application] });
    return await work({ application, client: createLocalClient(connectWithin(listener)) });
  } finally {
    await service.stop();
  }
}
