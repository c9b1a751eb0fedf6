import { AppError } from '@weir/foundation';
import type { HandlerKind } from '@weir/workflow-spec';
import type { Upstream } from '../../values/outputs/scope-outputs';
import { planDag } from '../../model/plan/plan';
import { commitOwned } from '../../model/ports/run-store';
import type { RunContext } from '../context/run-context';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { handlerScope, pendingStep } from '../../model/run-model/new-step';
import { executeScope } from '../../scope/execute-scope';
import type { RunStatus } from '../../model/statuses/run-status';
import { nodeStatus, type NodeStatus } from '../../model/statuses/node-status';
import type { RunValues } from '../../values/run-values/run-values';
import type { Timer } from '../../model/ports/timer';

export interface HandlerRequest {
  readonly kind: HandlerKind;
  /** The status of the run that the handler sees. */
  readonly status: RunStatus;
  /** The outputs that the steps published. */
  readonly inherited?: Upstream | undefined;
  readonly waitingSteps?: readonly string[];
  /** Requests the end of the handler. Without it a handler continues for a while when the run is stopped. */
  readonly stop?: AbortSignal;
  /** Whether it executes each time that its moment comes. */
  readonly isRepeated?: boolean;
}

export interface HandlerEnd {
  readonly status: NodeStatus;
  readonly error: string | null;
}

/** Executes the handler of this kind, if the DAG has one. */
export async function executeHandler(context: RunContext, request: HandlerRequest): Promise<HandlerEnd | undefined> {
  const { ports, dag, steps, run, values } = context;
  const { kind, isRepeated = false, inherited } = request;
  const step = dag.handlers?.[kind];
  const scope = handlerScope(kind);
  const stored = steps.find((each) => each.scope === scope);
  if (step === undefined || stored === undefined) return undefined;
  if (nodeStatus.isTerminal(stored.status) && !isRepeated) return { status: stored.status, error: stored.error };
  const current = nodeStatus.isTerminal(stored.status) ? await resetHandler(context, stored) : stored;
  const deadline = step.timeoutSec === undefined ? createStopDeadline(ports.timer, context.stop) : noDeadline;
  try {
    await executeScope(context, {
      scope,
      plan: planDag([step]),
      steps: [current],
      values: toHandlerValues(values, request),
      stop: request.stop ?? deadline.signal,
      // A handler sees the variables of the steps, but not the steps by their IDs.
      inherited: inherited === undefined ? undefined : { env: inherited.env, steps: new Map() },
      maxActiveSteps: 0,
    });
  } finally {
    deadline.dispose();
  }
  const [ended] = await ports.runs.listSteps(run.id, scope);
  return { status: ended?.status ?? 'failed', error: ended?.error ?? null };
}

/** Another piece of work, which must not be taken for the one that is done. */
async function resetHandler(context: RunContext, { scope, position, iteration }: DagRunStep): Promise<DagRunStep> {
  const patch = { scope, position, ...pendingStep, memo: null, iteration: iteration + 1 };
  await commitOwned(context, { kind: 'steps_changed', lease: context.lease, patches: [patch] });
  const [step] = await context.ports.runs.listSteps(context.run.id, scope);
  if (step === undefined) throw new AppError('internal', 'The step of a handler is not stored.');
  return step;
}

function toHandlerValues(values: RunValues, { status, waitingSteps }: HandlerRequest): RunValues {
  const info = { ...values.info, runStatus: status, ...(waitingSteps === undefined ? {} : { waitingSteps }) };
  const context = new Map([...(values.scope.context ?? []), ['run.status', status] as const]);
  return { ...values, info, scope: { ...values.scope, context } };
}

interface StopDeadline {
  readonly signal: AbortSignal;
  dispose(): void;
}

// A run that is stopped cannot stop its handlers: they have this long, unless they have a timeout of their own.
const handlerGraceSec = 300;

const noDeadline: StopDeadline = { signal: new AbortController().signal, dispose: () => undefined };

/** A signal that is aborted some minutes after the stop of the run. */
function createStopDeadline(timer: Timer, stop: AbortSignal): StopDeadline {
  const deadline = new AbortController();
  let cancel: () => void = () => undefined;
  const startTimer = (): void => {
    cancel = timer.start(handlerGraceSec * 1000, () => deadline.abort());
  };
  if (stop.aborted) startTimer();
  else stop.addEventListener('abort', startTimer, { once: true });
  return {
    signal: deadline.signal,
    dispose: () => {
      stop.removeEventListener('abort', startTimer);
      cancel();
    },
  };
}
