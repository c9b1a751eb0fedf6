import { workflowContract, type Log } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import { presentRunDetails, presentRunSummary } from './dag-run-presenter';
import type { DagRunService } from './dag-run-service';
import type { LogPart } from './log-lines';

export function bindDagRunRoutes(bind: Bind, dagRuns: DagRunService): void {
  bind(workflowContract.listDagRuns, async ({ input: { query }, principal }) => {
    assertLocalNode(query);
    const { runs, nextCursor } = await dagRuns.list(query, principal);
    return { dagRuns: runs.map(presentRunSummary), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  bind(workflowContract.getDagRunDetails, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return { dagRunDetails: presentRunDetails(await dagRuns.details(params.name, params.dagRunId, principal)) };
  });

  bind(workflowContract.terminateDagRun, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await dagRuns.stop(params.name, params.dagRunId, principal);
    return undefined;
  });

  bind(workflowContract.dequeueDagRun, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await dagRuns.dequeue(params.name, params.dagRunId, principal);
    return undefined;
  });

  bind(workflowContract.getDagRunLog, async ({ input: { params, query }, principal, signal }) => {
    assertLocalNode(query);
    return presentLog(await dagRuns.log(params, query, principal, signal));
  });

  bind(workflowContract.getDagRunStepLog, async ({ input: { params, query }, principal, signal }) => {
    assertLocalNode(query);
    return presentLog(await dagRuns.stepLog(params, { ...query, stepName: params.stepName }, principal, signal));
  });
}

function presentLog({ content, lineCount, totalLines, hasMore, isEstimate }: LogPart): Log {
  return { content, lineCount, totalLines, hasMore, isEstimate };
}
