import { AppError } from '@weir/errors';
import { isTerminalNode, type NodeStatus, type RunStatus } from '../statuses';
import { planDag } from '../plan/plan';
import { pendingStep } from '../run-model/new-step';
import type { DagRunStep } from '../run-model/dag-run';
import type { HandlerKind } from '@weir/workflow-spec';
import type { RunPorts } from '../run/execute-run';
import type { ReadyRun } from '../run/open-run';
import { leaseLost } from '../scope/scope-recorder';
import { executeScope } from '../scope/execute-scope';
import type { Upstream } from '../outputs/scope-outputs';
import type { RunValues } from '../values/run-values';

export interface HandlerRequest {
  readonly kind: HandlerKind;
  /** How the run stands, as the handler is told. */
  readonly status: RunStatus;
  /** What the steps published. */
  readonly inherited?: Upstream | undefined;
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
export async function executeHandler(
  dependencies: RunPorts,
  open: ReadyRun,
  request: HandlerRequest,
): Promise<HandlerEnd | undefined> {
  const { dag, nodes, run } = open;
  const { kind, isRepeated = false } = request;
  const step = dag.handlers?.[kind];
  const scope = `on/${kind}`;
  const stored = nodes.find((node) => node.scope === scope);
  if (step === undefined || stored === undefined) return undefined;
  if (isTerminalNode(stored.status) && !isRepeated) return { status: stored.status, error: stored.error };
  const current = isTerminalNode(stored.status) ? await resetHandler(dependencies, open, stored) : stored;
  const deadline = step.timeoutSec === undefined ? createStopDeadline(dependencies, open.signal) : never;
  try {
    await executeScope(
      dependencies,
      { ...open, signal: request.signal ?? deadline.signal, values: toHandlerValues(open.values, request) },
      {
        scope,
        plan: planDag([step]),
        steps: [current],
        // Of the steps a handler knows the variables, and nothing by their IDs.
        inherited: request.inherited === undefined ? undefined : { env: request.inherited.env, steps: new Map() },
        maxActiveSteps: 0,
        toRunEnd: () => undefined,
      },
    );
  } finally {
    deadline.dispose();
  }
  const [ended] = await dependencies.runs.listSteps(run.id, scope);
  return { status: ended?.status ?? 'failed', error: ended?.error ?? null };
}

/** Another piece of work, which must not be taken for the one that is done. */
async function resetHandler(
  { runs }: Pick<RunPorts, 'runs'>,
  { run, lease }: Pick<ReadyRun, 'run' | 'lease'>,
  { scope, position, iteration }: DagRunStep,
): Promise<DagRunStep> {
  const patch = { scope, position, ...pendingStep, memo: null, iteration: iteration + 1 };
  if (!(await runs.record(run.id, lease, [patch]))) throw leaseLost();
  const [step] = await runs.listSteps(run.id, scope);
  if (step === undefined) throw new AppError('internal', 'A lifecycle step is not stored.');
  return step;
}

interface StopDeadline {
  readonly signal: AbortSignal;
  dispose(): void;
}

const never: StopDeadline = { signal: new AbortController().signal, dispose: () => undefined };

/** Aborted a good while after the stop. */
function createStopDeadline({ timer }: Pick<RunPorts, 'timer'>, stopped: AbortSignal): StopDeadline {
  const deadline = new AbortController();
  let cancel: () => void = () => undefined;
  const startTimer = (): void => {
    cancel = timer.start(stoppedRunSec * 1000, () => deadline.abort());
  };
  if (stopped.aborted) startTimer();
  else stopped.addEventListener('abort', startTimer, { once: true });
  return {
    signal: deadline.signal,
    dispose: () => {
      stopped.removeEventListener('abort', startTimer);
      cancel();
    },
  };
}

function toHandlerValues(values: RunValues, { status, waitingSteps }: HandlerRequest): RunValues {
  const request = { ...values.info, runStatus: status, ...(waitingSteps === undefined ? {} : { waitingSteps }) };
  const context = new Map([...(values.scope.context ?? []), ['run.status', status] as const]);
  return { ...values, info: request, scope: { ...values.scope, context } };
}
