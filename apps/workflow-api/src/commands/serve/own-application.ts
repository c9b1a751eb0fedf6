import { AppError, isAppError } from '@weir/foundation';
import { startService, type Logger } from '@weir/service-kit';
import type { WorkflowClient } from '@weir/workflow-client';
import { limitYoungHeap } from '../../adapters/limit-young-heap';
import { operatorName } from '../../adapters/operator-name';
import type { Application } from '../../composition';
import { createLocalAdmin } from '../../access/principal';
import { presentRunDetails } from '../../features/runs';
import { connectWithin, createLocalClient } from '../../local-api';
import { createDatabaseApplication, createLocalApp } from '../../server';
import { openStepIsolation } from '../../features/worker/step-isolation';
import { openStore } from '../../installation/store';
import type { OwnApplication, StoreCommand } from '../shared/program-host';
import { quietLogger } from './quiet-logger';

/** Opens the database in this process while `work` runs. */
export function withOwnApplication<Result>(
  command: StoreCommand,
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  return run(command, { executes: false }, work);
}

/** Does the same for a command that executes runs. */
export function withOwnWorker<Result>(
  command: StoreCommand,
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  return run(command, { executes: true }, work);
}

async function run<Result>(
  command: StoreCommand,
  { executes }: { readonly executes: boolean },
  work: (own: OwnApplication) => Promise<Result>,
): Promise<Result> {
  limitYoungHeap();
  const logger = quietLogger(command);
  const options = { ...command, logger };
  let application: Application | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...options, isServer: false }, add).catch((error: unknown) => {
        throw explainIsolation(error, command);
      });
      // Users who execute a run by a command could do themselves what its steps do, so this needs no warning each time.
      const stepIsolation = executes ? await openStepIsolation({ ...options, unavailableLevel: 'info' }) : undefined;
      application = await createDatabaseApplication({ ...options, stepIsolation }, database, add);
      if (executes) await application.startForSingleRuns();
    },
  });
  try {
    if (application === undefined) throw new AppError('internal', 'The application did not start.');
    return await work(open(application, logger));
  } finally {
    await service.stop();
  }
}

/** A command that only follows its own run needs neither the operations nor HTTP. */
function open(application: Application, logger: Logger): OwnApplication {
  const { audit, passOn, readRun } = application;
  const user = createLocalAdmin(operatorName());
  let client: WorkflowClient | undefined;
  return {
    application,
    client: () => {
      client ??= createLocalClient(connectWithin(createLocalApp({ logger, features: [application], audit, passOn })));
      return client;
    },
    readRun: async ({ dagName: name, dagRunId }) => presentRunDetails(await readRun({ name, dagRunId }, user)),
  };
}

/** Isolated steps do not see the folder of the database, which looks empty to them. */
function explainIsolation(error: unknown, { env }: StoreCommand): unknown {
  const isInStep = env.WEIR_STEP_MARK !== undefined;
  if (!isInStep || !isAppError(error) || error.reason !== 'database_lost') return error;
  const message =
    'This step is isolated from the installation. Start the DAG with the action dag.run or dag.enqueue, through the HTTP ' +
    'API, or without isolation (WEIR_STEP_ISOLATION=off).';
  return new AppError('unavailable', message, { reason: 'step_isolated', cause: error });
}
