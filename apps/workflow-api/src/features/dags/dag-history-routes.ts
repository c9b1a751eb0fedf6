import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import { runStatus } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import { presentRunDetails, type DagRunRepository, type DagRunService, type WaitForRun } from '../runs';
import { readDagHistory, toGrid } from './dag-history';
import { createDagAccess, type DagAccessDependencies } from './dag-access';
import type { DagService } from './dag-service';

export interface DagHistoryRoutesDependencies extends DagAccessDependencies {
  readonly runs: DagRunRepository;
  readonly dagRuns: DagRunService;
  readonly dags: Pick<DagService, 'start'>;
  readonly waitForRun: WaitForRun;
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

  bind(workflowContract.executeDagSync, async ({ input: { params, body }, principal, audit, signal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    const { tags, timeout, ...request } = body;
    const labels = request.labels?.length ? request.labels : tags;
    const started = { ...request, labels, isImmediate: true };
    const dagRunId = await dependencies.dags.start(params.fileName, started, { principal, audit });
    const address = { name: request.dagName ?? dag.name, dagRunId };
    await waitForEnd(dependencies, address, AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)]));
    return { dagRun: presentRunDetails(await dagRuns.details(address, principal)) };
  });
}

async function waitForEnd(
  { runs, waitForRun }: Pick<DagHistoryRoutesDependencies, 'runs' | 'waitForRun'>,
  { name, dagRunId }: { readonly name: string; readonly dagRunId: string },
  signal: AbortSignal,
): Promise<void> {
  const run = await runs.find(name, dagRunId);
  if (run === undefined) return;
  try {
    await waitForRun(run.id, (status) => runStatus.isTerminal(status) || status === 'waiting', signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AppError('wait_timeout', `The run "${dagRunId}" has not ended in time; it continues.`, {
      reason: 'dag_run_not_ended',
      details: { dagRunId },
      cause: error,
    });
  }
}
