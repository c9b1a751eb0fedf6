import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { openLogView, readLines, type LinesRange, type LogIndexes, type LogSource } from './reader';
import type { LogSearcher } from './search/log-searcher';
import type { RunFiles } from '../../run-files';
import { presentFindings, presentLogLines } from './log-presenter';
import { findInLog } from './log-search';
import type { RunLogs } from './run-logs';

export interface LogLineDependencies {
  readonly logs: RunLogs;
  readonly indexes: LogIndexes;
  readonly searcher: LogSearcher;
  readonly runFiles: RunFiles;
}

/** Binds the operations that read logs line by line. */
export function bindLogLineRoutes(bind: Bind, { logs, indexes, searcher, runFiles }: LogLineDependencies): void {
  const read = async (source: LogSource, range: LinesRange, signal: AbortSignal) => {
    const view = await openLogView(runFiles, source);
    try {
      return presentLogLines(await indexes.withIndex(view, (index) => readLines(view, index, range, signal)));
    } finally {
      await view.close();
    }
  };

  for (const endpoint of [workflowContract.getDagRunLogLines, workflowContract.getSubDagRunLogLines]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      return read(await logs.findSource(params, {}, principal), query, signal);
    });
  }

  for (const endpoint of [workflowContract.getDagRunStepLogLines, workflowContract.getSubDagRunStepLogLines]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { stepName } = params;
      const { stream, attempt } = query;
      return read(await logs.findSource(params, { stepName, stream, attempt }, principal), query, signal);
    });
  }

  for (const endpoint of [workflowContract.searchDagRunLog, workflowContract.searchSubDagRunLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const source = await logs.findSource(params, {}, principal);
      return presentFindings(await findInLog({ searcher, runFiles }, source, query, signal));
    });
  }

  for (const endpoint of [workflowContract.searchDagRunStepLog, workflowContract.searchSubDagRunStepLog]) {
    bind(endpoint, async ({ input: { params, query }, principal, signal }) => {
      const { stepName } = params;
      const { stream, attempt } = query;
      const source = await logs.findSource(params, { stepName, stream, attempt }, principal);
      return presentFindings(await findInLog({ searcher, runFiles }, source, query, signal));
    });
  }
}
