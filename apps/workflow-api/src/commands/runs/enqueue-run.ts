import { findRunnableTarget, renameTarget } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { callFromStep, isInStep } from './call-from-step';
import { enqueueRemoteRun, isRemoteName, toForeignRequest } from './remote-run';
import { toSpecRequest, type RunFlags } from './run-flags';
import { withApi } from '../shared/with-api';

export interface EnqueueOptions extends StoreCommand, RunFlags {
  readonly target: string;
}

/** Stores a run as queued; any free worker executes it. Returns the exit code. */
export async function enqueueRun(options: EnqueueOptions): Promise<number> {
  if (isInStep(options)) return callFromStep('enqueue', options);
  if (isRemoteName(options)) return enqueueRemoteRun(options);
  const found = await findRunnableTarget(options, options.target);
  if (found === undefined) return 1;
  const target = renameTarget(found, options.name);
  const body = {
    ...(options.context ? toForeignRequest(target, options) : toSpecRequest(target, options)),
    queue: options.queue,
  };
  const { data } = await withApi(options, (client) => client.POST('/dag-runs/enqueue', { body }));
  options.print(`${data.name} ${data.dagRunId}: queued`);
  return 0;
}
