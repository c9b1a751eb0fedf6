import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../bind';
import { assertLocalNode } from '../../remote-node';
import { presentRunDetails, presentRunSummary } from './dag-run-presenter';
import type { DagRunService } from './dag-run-service';
import { findRunsWithArtifacts } from './has-artifacts';
import { presentLog } from './log-presenter';

export function bindDagRunRoutes(bind: Bind, dagRuns: DagRunService): void {
  bind(workflowContract.listDagRuns, async ({ input: { query }, principal }) => {
    assertLocalNode(query);
    const { runs, nextCursor } = await dagRuns.list(query, principal);
    const withArtifacts = await findRunsWithArtifacts(runs);
    const dagRunPage = runs.map((run) => presentRunSummary(run, withArtifacts.has(run.id)));
    return { dagRuns: dagRunPage, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  bind(workflowContract.getDagRunDetails, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return { dagRunDetails: presentRunDetails(await dagRuns.details(params, principal)) };
  });

  bind(workflowContract.terminateDagRun, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await dagRuns.stop(params, principal);
    return undefined;
  });

  bind(workflowContract.dequeueDagRun, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await dagRuns.dequeue(params, principal);
    return undefined;
  });

  bind(workflowContract.getDagRunLog, async ({ input: { params, query }, principal, signal }) => {
    assertLocalNode(query);
    return presentLog(await dagRuns.log(params, query, principal, signal));
  });

  bind(workflowContract.getDagRunStepLog, async ({ input: { params, query }, principal, signal }) => {
    assertLocalNode(query);
    const { stepName, ...address } = params;
    return presentLog(await dagRuns.stepLog(address, { ...query, stepName }, principal, signal));
  });
}
