import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../access/bind';
import type { RunFiles } from '../../../run-files';
import type { RunPage } from './dag-run-list';
import { presentRunDetails } from './dag-run-presenter';
import type { DagRunService } from './dag-run-service';
import { presentRuns } from './present-runs';

export interface DagRunRoutesDependencies {
  readonly dagRuns: DagRunService;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

export function bindDagRunRoutes(bind: Bind, { dagRuns, runFiles }: DagRunRoutesDependencies): void {
  bind(workflowContract.listDagRuns, async ({ input: { query }, principal }) => {
    return presentRunPage(runFiles, await dagRuns.list(query, principal));
  });

  bind(workflowContract.listDagRunsByName, async ({ input: { params, query }, principal }) => {
    return presentRunPage(runFiles, await dagRuns.list({ ...query, exactName: params.name }, principal));
  });

  bind(workflowContract.countDagRuns, ({ input: { query }, principal }) => {
    return dagRuns.count(query, principal);
  });

  bind(workflowContract.getDagRunDetails, async ({ input: { params }, principal }) => {
    return { dagRunDetails: presentRunDetails(await dagRuns.details(params, principal)) };
  });

  bind(workflowContract.terminateDagRun, async ({ input: { params }, principal, audit }) => {
    await dagRuns.stop(params, { principal, audit });
    return undefined;
  });

  bind(workflowContract.dequeueDagRun, async ({ input: { params }, principal, audit }) => {
    await dagRuns.dequeue(params, { principal, audit });
    return undefined;
  });

  for (const endpoint of [workflowContract.getDagRunSpec, workflowContract.getSubDagRunSpec]) {
    bind(endpoint, async ({ input: { params }, principal }) => {
      return { spec: await dagRuns.spec(params, principal) };
    });
  }
}

async function presentRunPage(
  runFiles: DagRunRoutesDependencies['runFiles'],
  { runs, failedSteps, activeSteps, nextCursor }: RunPage,
) {
  const presented = await presentRuns(runFiles, runs);
  const dagRuns = presented.map((run, index) => {
    const key = runs[index]?.id ?? '';
    const failedStep = failedSteps.get(key);
    const { 0: currentStep, length: currentStepCount } = activeSteps.get(key) ?? [];
    return {
      ...run,
      ...(failedStep === undefined ? {} : { failedStep }),
      ...(currentStep === undefined ? {} : { currentStep, currentStepCount }),
    };
  });
  return { dagRuns, ...(nextCursor === undefined ? {} : { nextCursor }) };
}
