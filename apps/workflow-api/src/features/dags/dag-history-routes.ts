import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentRunDetails, type DagRunRepository, type DagRunService } from '../runs';
import { readDagHistory, toGrid } from './dag-history';
import { createDagAccess, type DagAccessDependencies } from './dag-access';

export interface DagHistoryRoutesDependencies extends DagAccessDependencies {
  readonly runs: DagRunRepository;
  readonly dagRuns: DagRunService;
}

export function bindDagHistoryRoutes(bind: Bind, dependencies: DagHistoryRoutesDependencies): void {
  const { dagRuns } = dependencies;
  const { findVisible } = createDagAccess(dependencies);

  bind(workflowContract.getDagRunHistory, async ({ input: { params, query }, principal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    const { limit = 30, nodes = 'true' } = query;
    const history = await readDagHistory(dependencies, { dagName: dag.name, limit }, principal);
    const dagRuns = history.map(presentRunDetails);
    return {
      dagRuns: nodes === 'true' ? dagRuns : dagRuns.map((run) => ({ ...run, nodes: [] })),
      gridData: toGrid(dag, history),
    };
  });

  bind(workflowContract.getDagRunOfDag, async ({ input: { params }, principal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    return {
      dagRun: presentRunDetails(await dagRuns.details({ name: dag.name, dagRunId: params.dagRunId }, principal)),
    };
  });
}
