import { AppError } from '@weir/errors';
import type { Logger } from '@weir/service-kit';
import { nodeStatus, type RunPorts, type RunStore, type StoredRun } from '@weir/workflow-engine';
import type { RunFiles } from '../../run-files';

export interface FlushedFilesOptions {
  readonly runFiles: Pick<RunFiles, 'claim'>;
  readonly ports: Pick<RunPorts, 'runs'>;
  readonly runId: string;
  /** The fencing token of the run. */
  readonly token: number;
  /** What must be done before the run executes, and may write to its logs. */
  readonly prepare: () => Promise<void>;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

/**
 * Executes a run between the claim of its files and their release. The end of a step is stored only after what it has
 * printed can be read elsewhere, so that nobody finds an ended step with a part of its log.
 */
export async function withFlushedFiles<T>(
  options: FlushedFilesOptions,
  use: (runs: RunStore) => Promise<T>,
): Promise<T> {
  const { runFiles, ports, runId, token, prepare, stopping, logger } = options;
  const { runs } = ports;
  const files = await runFiles.claim({ token, load: () => loadRun(runs, runId), stopping, logger });
  try {
    await prepare();
    return await use(recordingAfter(() => files.flush(), runs));
  } finally {
    await files.close();
  }
}

async function loadRun(runs: RunStore, id: string): Promise<StoredRun> {
  const run = await runs.findById(id);
  if (run === undefined) throw new AppError('internal', 'A claimed run is not stored.');
  return { run, nodes: await runs.listAllSteps(id) };
}

function recordingAfter(flush: () => Promise<void>, runs: RunStore): RunStore {
  return {
    find: (dagName, dagRunId) => runs.find(dagName, dagRunId),
    findById: (id) => runs.findById(id),
    listSteps: (id, scope) => runs.listSteps(id, scope),
    listAllSteps: (id) => runs.listAllSteps(id),
    readOutputs: (id, scope) => runs.readOutputs(id, scope),
    readMemos: (id, scope) => runs.readMemos(id, scope),
    listChildren: (parentId, parentNode) => runs.listChildren(parentId, parentNode),
    apply: (id, event) => runs.apply(id, event),
    record: async (id, lease, changes, end) => {
      const isEnd = changes.some(({ status }) => status !== undefined && nodeStatus.isTerminal(status));
      if (isEnd || end !== undefined) await flush();
      return runs.record(id, lease, changes, end);
    },
    storeParams: (id, lease, params, files) => runs.storeParams(id, lease, params, files),
    addSteps: (id, lease, steps) => runs.addSteps(id, lease, steps),
  };
}
