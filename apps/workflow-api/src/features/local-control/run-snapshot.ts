import { runStatus, nodeStatus, handlerScope, type DagRunStep } from '@weir/workflow-engine';
import type { HandlerKind } from '@weir/workflow-spec';
import { type DagRunRepository } from '../dag-runs';
import type { RunSnapshot, StepSnapshot } from './control-contract';

const handlerKinds = ['init', 'wait', 'success', 'failure', 'abort', 'exit'] as const satisfies readonly HandlerKind[];

/** How a run stands; `undefined` when there is none of this key. */
export async function readRunSnapshot(
  runs: Pick<DagRunRepository, 'findById' | 'listSteps'>,
  id: string,
): Promise<RunSnapshot | undefined> {
  // The run is read first: when it has ended, its steps have too.
  const run = await runs.findById(id);
  if (run === undefined) return undefined;
  const steps = await runs.listSteps(id);
  const isEnded = runStatus.isTerminal(run.status);
  const isWaiting = runStatus.isWaiting(run.status);
  return {
    id,
    dagName: run.dagName,
    dagRunId: run.dagRunId,
    status: run.status,
    isEnded,
    isWaiting,
    isSuccess:
      runStatus.isSuccessful(run.status) ||
      runStatus.isDeclined(
        run.status,
        steps.map(({ status }) => status),
      ),
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    error: run.error,
    logFile: run.logFile,
    steps: [...steps.map((step) => snapshotOfStep(step)), ...(isEnded || isWaiting ? await handlersOf(runs, id) : [])],
  };
}

/** Those that were carried out; most runs have none, so they are read once, at the end. */
async function handlersOf(runs: Pick<DagRunRepository, 'listSteps'>, id: string): Promise<readonly StepSnapshot[]> {
  const found = await Promise.all(
    handlerKinds.map(async (kind) =>
      (await runs.listSteps(id, handlerScope(kind))).map((step) => ({ ...snapshotOfStep(step), handler: kind, step })),
    ),
  );
  return found.flat().flatMap(({ step, ...snapshot }) => (nodeStatus.isUnstarted(step.status) ? [] : [snapshot]));
}

function snapshotOfStep({ name, status, startedAt, finishedAt, error }: DagRunStep): StepSnapshot {
  return {
    name,
    status,
    isEnded: nodeStatus.isTerminal(status),
    isWaiting: nodeStatus.isWaiting(status),
    startedAt,
    finishedAt,
    error,
  };
}
