import { isAppError } from '@weir/errors';
import { removeRunContainers } from '../container/remove-run-containers';
import { usesContainers } from '../container/container-parts';
import { createContainerSteps } from './container-steps';
import type { ReadyRun } from '../run/open-run';

/** Lives a run with the containers of its steps: what an earlier owner left is removed first, its own at the end. */
export async function withContainers<T>(ready: ReadyRun, work: (open: ReadyRun) => Promise<T>): Promise<T> {
  if (isResumed(ready) && usesContainers(ready.dag)) await removeLeftovers(ready);
  const containers = createContainerSteps(ready);
  try {
    return await work({ ...ready, containers });
  } finally {
    await containers.close();
  }
}

function isResumed({ lease }: ReadyRun): boolean {
  return lease.token > 1;
}

async function removeLeftovers({ values, log }: ReadyRun): Promise<void> {
  try {
    const { dagName, runId } = values.info;
    const count = await removeRunContainers({ dagName, runId }, values.env);
    if (count > 0) log.write('containers of the owner before were removed', { count });
  } catch (error) {
    if (!isAppError(error)) throw error;
    // The steps that need the engine fail by themselves.
    log.write('containers of the owner before were not looked for', { problem: error.message });
  }
}
