import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../bind';
import { assertLocalNode } from '../../remote-node';
import type { RunPage } from './dag-run-list';
import { presentRunDetails, presentRunSummary } from './dag-run-presenter';
import type { DagRunService } from './dag-run-service';
import { findRunsWithArtifacts } from './has-artifacts';
import { presentLog } from './log-presenter';

export function bindDagRunRoutes(bind: Bind, dagRuns: DagRunService): void {
  bind(workflowContract.listDagRuns, async ({ input: { query }, principal }) => {
    assertLocalNode(query);
    return presentRunPage(await dagRuns.list(query, principal));
  });

  bind(workflowContract.listDagRunsByName, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return presentRunPage(await dagRuns.list({ ...query, exactName: params.name }, principal));
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

async function presentRunPage({ runs, nextCursor }: RunPage) {
  const withArtifacts = await findRunsWithArtifacts(runs);
  const dagRuns = runs.map((run) => presentRunSummary(run, withArtifacts.has(run.id)));
  return { dagRuns, ...(nextCursor === undefined ? {} : { nextCursor }) };
}
