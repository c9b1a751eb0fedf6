import { workflowContract } from '@weir/workflow-contract';
import type { FileAnswer } from '@weir/http-contract';
import type { Bind } from '../../access/bind';
import { readLogLines } from './log-lines';
import { presentLog } from './log-presenter';
import { type RunFiles, readStored } from '../../run-files';
import { openLogView } from './reader';
import type { RunLogs, RunLog } from './run-logs';

export interface LogRoutesDependencies {
  readonly logs: RunLogs;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

/** Binds the operations on logs of runs and steps, and of child runs. */
export function bindLogRoutes(bind: Bind, { logs, runFiles }: LogRoutesDependencies): void {
  for (const endpoint of [workflowContract.getDagRunLog, workflowContract.getSubDagRunLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { source } = await logs.find(params, {}, principal);
      return presentLog(await readLogLines(runFiles, source, query, signal));
    });
  }

  for (const endpoint of [workflowContract.getDagRunStepLog, workflowContract.getSubDagRunStepLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { stream, attempt } = query;
      const { source } = await logs.find(params, { stepName: params.stepName, stream, attempt }, principal);
      return presentLog(await readLogLines(runFiles, source, query, signal));
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunLog, workflowContract.downloadSubDagRunLog]) {
    bind(endpoint, async ({ input: { params }, principal }) => {
      return downloadLog(runFiles, await logs.find(params, {}, principal));
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunStepLog, workflowContract.downloadSubDagRunStepLog]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      const { stream, attempt } = query;
      return downloadLog(runFiles, await logs.find(params, { stepName: params.stepName, stream, attempt }, principal));
    });
  }
}

/** Returns the log with its present length; an empty file while nothing was written. */
async function downloadLog(runFiles: Pick<RunFiles, 'view'>, { source, downloadName }: RunLog): Promise<FileAnswer> {
  const view = await openLogView(runFiles, source);
  return {
    name: downloadName,
    size: view.bytes.size,
    read: (range) => readStored(view.bytes, range),
    close: () => view.close(),
  };
}
