import { AppError, isAppError } from '@weir/errors';
import { startService } from '@weir/service-kit';
import { createWorkflow } from '../composition';
import { createRemoteControl, type RunControl } from '../features/local-control';
import { controlSocket } from '../features/workflow-features';
import { openStore } from '../store';
import type { StoreCommand } from './program-host';
import { quietLogger } from './quiet-logger';

/**
 * Does something to runs: in this process, or through the process that has the database. What it does, and what it
 * throws, is the same either way.
 */
export async function withRunControl<Result>(
  command: StoreCommand,
  work: (control: RunControl) => Promise<Result>,
): Promise<Result> {
  const logger = quietLogger(command);
  let control: RunControl | undefined;
  const service = await startService({
    logger,
    start: async (add) => {
      const database = await openStore({ ...command, logger }, add);
      control = add(await createWorkflow({ ...command, logger }, database)).runControl;
    },
  }).catch((error: unknown) => {
    if (!isAppError(error) || error.reason !== 'database_in_use') throw error;
    return error;
  });
  if (isAppError(service)) return throughServer(command, service, work);
  try {
    if (control === undefined) throw new AppError('internal', 'The workflow features did not start.');
    return await work(control);
  } finally {
    await service.stop();
  }
}

async function throughServer<Result>(
  { config }: StoreCommand,
  inUse: AppError,
  work: (control: RunControl) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(createRemoteControl(controlSocket(config.data.folder)));
  } catch (error) {
    // Then the refusal that names the process is of more use.
    throw isAppError(error) && error.reason === 'control_unavailable' ? inUse : error;
  }
}
