import { AppError } from '@weir/errors';
import { isTerminalNode, planDag, type NodeStatus, type RunStatus } from '@weir/workflow-engine';
import type { HandlerKind } from '@weir/workflow-spec';
import { unbegun, type DagRunStep } from '../dag-runs';
import type { CarryOutDependencies } from './carry-out-run';
import type { ReadyRun } from './open-run';
import { runLost } from './run-recorder';
import { runFrame } from './run-frame';
import type { Upstream } from './run-outputs';
import type { RunValues } from './run-values';

export interface HandlerFacts {
  readonly kind: HandlerKind;
  /** How the run stands, as the handler is told. */
  readonly status: RunStatus;
  /** What the steps published. */
  readonly base?: Upstream | undefined;
  readonly waitingSteps?: readonly string[];
  /** Asks for its end. A handler of an end goes on when the run is stopped. */
  readonly signal?: AbortSignal;
  /** Whether it is carried out each time. */
  readonly isRepeated?: boolean;
}

export interface HandlerEnd {
  readonly status: NodeStatus;
  readonly error: string | null;
}

/** Once the run was stopped nobody can stop its handlers: they have this long, unless they say otherwise. */
const stoppedRunSec = 300;

/** Carries a lifecycle step out; nothing when the DAG has none of this kind. */
export async function runHandler(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  facts: HandlerFacts,
): Promise<HandlerEnd | undefined> {
  const { dag, nodes, run } = open;
  const { kind, isRepeated = false } = facts;
  const step = dag.handlers?.[kind];
  const scope = `on/${kind}`;
  const row = nodes.find((node) => node.scope === scope);
  if (step === undefined || row === undefined) return undefined;
  if (isTerminalNode(row.status) && !isRepeated) return { status: row.status, error: row.error };
  const current = isTerminalNode(row.status) ? await anew(dependencies, open, row) : row;
  const late = step.timeoutSec === undefined ? lateSignal(dependencies, open.signal) : never;
  try {
    await runFrame(
      dependencies,
      { ...open, signal: facts.signal ?? late.signal, values: valuesFor(open.values, facts) },
      {
        scope,
        plan: planDag([step]),
        rows: [current],
        // Of the steps a handler knows the variables, and nothing by their IDs.
        base: facts.base === undefined ? undefined : { env: facts.base.env, steps: new Map() },
        maxActiveSteps: 0,
        endOf: () => undefined,
      },
    );
  } finally {
    late.dispose();
  }
  const [ended] = await dependencies.runs.stepsOf(run.id, scope);
  return { status: ended?.status ?? 'failed', error: ended?.error ?? null };
}

/** Another piece of work, which must not be taken for the one that is done. */
async function anew(
  { runs }: Pick<CarryOutDependencies, 'runs'>,
  { run, lease }: Pick<ReadyRun, 'run' | 'lease'>,
  { scope, position, iteration }: DagRunStep,
): Promise<DagRunStep> {
  const patch = { scope, position, ...unbegun, memo: null, iteration: iteration + 1 };
  if (!(await runs.record(run.id, lease, [patch]))) throw runLost();
  const [row] = await runs.stepsOf(run.id, scope);
  if (row === undefined) throw new AppError('internal', 'A lifecycle step is not stored.');
  return row;
}

interface LateSignal {
  readonly signal: AbortSignal;
  dispose(): void;
}

const never: LateSignal = { signal: new AbortController().signal, dispose: () => undefined };

/** Aborted a good while after the stop. */
function lateSignal({ timer }: Pick<CarryOutDependencies, 'timer'>, stopped: AbortSignal): LateSignal {
  const late = new AbortController();
  let cancel: () => void = () => undefined;
  const count = (): void => {
    cancel = timer.start(stoppedRunSec * 1000, () => late.abort());
  };
  if (stopped.aborted) count();
  else stopped.addEventListener('abort', count, { once: true });
  return {
    signal: late.signal,
    dispose: () => {
      stopped.removeEventListener('abort', count);
      cancel();
    },
  };
}

function valuesFor(values: RunValues, { status, waitingSteps }: HandlerFacts): RunValues {
  const facts = { ...values.facts, runStatus: status, ...(waitingSteps === undefined ? {} : { waitingSteps }) };
  const context = new Map([...(values.scope.context ?? []), ['run.status', status] as const]);
  return { ...values, facts, scope: { ...values.scope, context } };
}
