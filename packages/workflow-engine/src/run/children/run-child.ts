import type { Dag, HandlerKind, JsonObject, JsonValue } from '@weir/workflow-spec';
import type { RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { DagRun, DagRunStep, StepScope } from '../../model/run-model/dag-run';
import { handlerScope } from '../../model/run-model/new-step';
import type { StepOutputs } from '../../model/run-model/step-outputs';
import { runStatus, type RunStatus } from '../../model/statuses/run-status';
import type { StepEnd } from '../../model/statuses/node-status';
import type { ChildCall } from './child-call';
import { startChild } from './start-child';
import type { RunStore } from '../../model/ports/run-store';

export interface ChildEnd {
  readonly run: DagRun;
  readonly status: StepEnd;
  /** Why the run has failed: its first failed step with the error of that; missing where no step says it. */
  readonly cause?: string | undefined;
  /** The step publishes this result of the run. */
  readonly result: JsonObject;
}

/** Starts or finds the run of a call, and waits until it has ended or waits for a person. */
export async function runChild(context: RunContext, execution: StepExecution, call: ChildCall): Promise<ChildEnd> {
  const { ports, release } = context;
  const { signal, stored } = execution;
  const { child, handlers, execution: ended } = await startChild(context, execution, call);
  const stop = (): void => {
    // A run that is released resumes with its next owner: its end was not requested.
    if (!release.aborted) void ports.children.stop(child.id).catch(context.abandon);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await ended;
    // Only the steps of the DAG itself can release the slot of their run until a person has answered.
    const isReleasable = stored.scope === '' && call.isByCommand !== true;
    const isReached = isReleasable ? hasEndedOrWaits : runStatus.isTerminal;
    const run = await ports.children.waitFor(child.id, isReached, release);
    const status = await toStepEnd(context, run);
    const cause = status === 'failed' ? await findCause(context, run) : undefined;
    return { run, status, cause, result: await toResult(context, run, handlers) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function hasEndedOrWaits(status: RunStatus): boolean {
  return runStatus.isTerminal(status) || runStatus.isWaiting(status);
}

async function toStepEnd({ ports }: RunContext, { id, status }: DagRun): Promise<StepEnd> {
  if (runStatus.isWaiting(status)) return 'waiting';
  if (runStatus.isSuccessful(status)) return status as StepEnd;
  if (!runStatus.isAborted(status)) return 'failed';
  // That it had nothing to do is no failure.
  const statuses = (await ports.runs.listSteps(id)).map((step) => step.status);
  return runStatus.isDeclined(status, statuses) ? 'succeeded' : 'aborted';
}

const maxCause = 1_000;

async function findCause({ ports }: RunContext, { id }: DagRun): Promise<string | undefined> {
  const failed = (await ports.runs.listAllSteps(id)).filter(({ status }) => status === 'failed');
  // Those of a loop or a handler have a scope of their own, and say more than the step that contains them.
  const [step] = failed.toSorted((left, right) => endOf(left) - endOf(right));
  if (step === undefined) return undefined;
  const error = step.error ?? '';
  return `its step "${step.name}" failed${error === '' ? '' : `: ${error}`}`.slice(0, maxCause);
}

function endOf({ finishedAt }: DagRunStep): number {
  return finishedAt?.getTime() ?? Infinity;
}

async function toResult({ ports }: RunContext, run: DagRun, handlers: Dag['handlers'] = {}): Promise<JsonObject> {
  const { dagName: name, dagRunId, params, status } = run;
  const executed = (kinds: readonly HandlerKind[]) =>
    kinds.filter((kind) => handlers[kind] !== undefined).map(handlerScope);
  const scopes = [...executed(['init']), '', ...executed(['wait', 'success', 'failure', 'abort', 'exit'])];
  return { name, dagRunId, params, outputs: await readRunOutputs(ports.runs, run.id, scopes), status };
}

/** Everything that the steps and handlers of a run published, by name; of equal names the later one's. */
async function readRunOutputs(
  runs: Pick<RunStore, 'readOutputs'>,
  id: string,
  scopes: readonly StepScope[],
): Promise<Readonly<Record<string, JsonValue>>> {
  const outputs: [number, StepOutputs][] = [];
  for (const scope of scopes) {
    outputs.push(...[...(await runs.readOutputs(id, scope))].toSorted(([left], [right]) => left - right));
  }
  const named = outputs.flatMap(([, { variable, fields, declared }]) => [
    ...(variable === undefined ? [] : [variable]),
    ...fields,
    ...declared,
  ]);
  return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}
