import { Readable } from 'node:stream';
import { workflowContract } from '@weir/workflow-contract';
import type { FileAnswer } from '@weir/http-contract';
import type { Bind } from '../../access/bind';
import { readLogLines } from './log-lines';
import { presentLog } from './log-presenter';
import { type RunFiles, openRunFile, readStored } from '../../run-files';
import type { RunLogs, RunLog } from './run-logs';

export interface LogRoutesDependencies {
  readonly logs: RunLogs;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

/** Binds the operations on logs of runs and steps, and of child runs. */
export function bindLogRoutes(bind: Bind, { logs, runFiles }: LogRoutesDependencies): void {
  for (const endpoint of [workflowContract.getDagRunLog, workflowContract.getSubDagRunLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { file } = await logs.find(params, {}, principal);
      return presentLog(await readLogLines(runFiles, file, query, signal));
    });
  }

  for (const endpoint of [workflowContract.getDagRunStepLog, workflowContract.getSubDagRunStepLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { file } = await logs.find(params, { stepName: params.stepName, stream: query.stream }, principal);
      return presentLog(await readLogLines(runFiles, file, query, signal));
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunLog, workflowContract.downloadSubDagRunLog]) {
    bind(endpoint, async ({ input: { params }, principal }) => {
      return downloadLog(runFiles, await logs.find(params, {}, principal));
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunStepLog, workflowContract.downloadSubDagRunStepLog]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      return downloadLog(
        runFiles,
        await logs.find(params, { stepName: params.stepName, stream: query.stream }, principal),
      );
    });
  }
}

/** Returns the log with its present length; an empty file while nothing was written. */
async function downloadLog(runFiles: Pick<RunFiles, 'view'>, { file, downloadName }: RunLog): Promise<FileAnswer> {
  const log = await openRunFile(runFiles, file);
  if (log === undefined) return { name: downloadName, size: 0, read: () => Readable.from([]) };
  return {
    name: downloadName,
    size: log.size,
    read: (range) => readStored(log, range),
    close: () => log.close(),
  };
}
