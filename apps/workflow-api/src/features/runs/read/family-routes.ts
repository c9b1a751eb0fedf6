import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../../access/bind';
import { presentRunDetails, presentSubRun } from './dag-run-presenter';
import type { DagRunService } from './dag-run-service';
import { presentOutputs } from './outputs-presenter';

export function bindFamilyRoutes(bind: Bind, dagRuns: DagRunService): void {
  bind(workflowContract.getDagRunOutputs, async ({ input: { params }, principal }) => {
    const { run, published } = await dagRuns.outputs(params, principal);
    return presentOutputs(run, published);
  });

  bind(workflowContract.getSubDagRuns, async ({ input: { params, query }, principal }) => {
    const children = await dagRuns.children({ ...params, subDAGRunId: query.parentSubDAGRunId }, principal);
    return { subRuns: children.map(presentSubRun) };
  });

  bind(workflowContract.getSubDagRunDetails, async ({ input: { params }, principal }) => {
    return { dagRunDetails: presentRunDetails(await dagRuns.details(params, principal)) };
  });
}
