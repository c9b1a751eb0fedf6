import { isAppError } from '@weir/foundation';
import type { JsonObject, PackagedAction } from '@weir/workflow-spec';
import type { Scope } from '@weir/workflow-spec/values';
import { mapConcurrently } from '../../host/concurrency/map-concurrently';
import { isStoreFailure } from '../../model/ports/lease-lost';
import type { RunContext, ExecuteStep } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import { maskScope } from '../../values/masking/mask-scope';
import { resolveStep } from '../../values/run-values/resolve-step';
import { writeResult } from '../../scope/steps/write-result';
import { resolveItems } from '../../values/text/resolve-items';
import { distinctCalls, toChildCall, type ChildCall } from './child-call';
import { toOutcome, toParallelOutcome, toParallelResult, type SettledChild } from './child-outcome';
import { checkPackageOutputs, findPackagedSource } from './packaged-call';
import { runChild } from './run-child';
import { enqueueChild, type QueuedChild } from './start-child';

interface CallModes {
  readonly single: (context: RunContext, execution: StepExecution, call: ChildCall) => Promise<StepOutcome>;
  readonly parallel: (
    context: RunContext,
    execution: StepExecution,
    calls: readonly ChildCall[],
  ) => Promise<StepOutcome>;
}

/** `dag.run`: runs other DAGs and waits for their ends, one or one for each item of `parallel`. */
export const executeChildren: ExecuteStep = callDags({ single: runOne, parallel: runAll });

/** `dag.enqueue`: queues runs of other DAGs and does not wait for them. */
export const enqueueChildren: ExecuteStep = callDags({ single: enqueueOne, parallel: enqueueAll });

function callDags({ single, parallel }: CallModes): ExecuteStep {
  return async (context, execution) => {
    const { step, values } = execution;
    const scope: Scope = maskScope(resolveStep(execution).scope, values.masker);
    try {
      if (step.parallel === undefined) return await single(context, execution, toChildCall(step, scope));
      const items = resolveItems(step.parallel.items, scope, { words: true });
      if ('problem' in items) return { status: 'failed', error: items.problem };
      const calls = distinctCalls(items.map((item) => toChildCall(step, { ...scope, item })));
      return await parallel(context, execution, calls);
    } catch (error) {
      if (isStoreFailure(error)) context.abandon(error);
      return toFailedOutcome(error);
    }
  };
}

async function runOne(context: RunContext, execution: StepExecution, call: ChildCall): Promise<StepOutcome> {
  if (call.package !== undefined) return runPackage(context, execution, { call, action: call.package });
  const end = await runChild(context, execution, call);
  if (end.status === 'waiting') return { status: 'waiting' };
  return publish(context, execution, { result: end.result, outcome: () => toOutcome([end], execution) });
}

interface PackageCall {
  readonly call: ChildCall;
  readonly action: PackagedAction;
}

/** Publishes what the run publishes. */
async function runPackage(
  context: RunContext,
  execution: StepExecution,
  { call, action }: PackageCall,
): Promise<StepOutcome> {
  const found = await findPackage(context, execution, { call, action });
  if (found === undefined) return { status: 'aborted', error: 'run stopped' };
  const end = await runChild(context, execution, { ...call, source: found.source });
  if (end.status === 'waiting') return { status: 'waiting' };
  const outcome = toOutcome([end], execution);
  const { outputs = {} } = end.result;
  if (nodeStatus.isSuccessful(outcome.status)) checkPackageOutputs(action, found.manifest, outputs);
  return publish(context, execution, { result: outputs as JsonObject, outcome: () => outcome });
}

/** `undefined` when the step was stopped meanwhile. */
async function findPackage(context: RunContext, { signal }: StepExecution, { call, action }: PackageCall) {
  try {
    return await findPackagedSource(context, action, { params: call.params, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function runAll(
  context: RunContext,
  execution: StepExecution,
  calls: readonly ChildCall[],
): Promise<StepOutcome> {
  const { signal, step } = execution;
  const concurrency = step.parallel?.maxConcurrent ?? 1;
  // Each settles: one that cannot be started must not end the step while others execute.
  const ends = await mapConcurrently(calls, { concurrency, signal }, (call) => settleChild(context, execution, call));
  for (const end of ends) if (end !== undefined && 'lost' in end) throw end.lost;
  if (ends.some((end) => end !== undefined && 'status' in end && end.status === 'waiting')) {
    return { status: 'waiting' };
  }
  const result = toParallelResult(calls, ends);
  return publish(context, execution, { result, outcome: () => toParallelOutcome(ends, result.summary, execution) });
}

async function settleChild(context: RunContext, execution: StepExecution, call: ChildCall): Promise<SettledChild> {
  try {
    return await runChild(context, execution, call);
  } catch (error) {
    if (!isStoreFailure(error)) return { failure: toFailedOutcome(error).error ?? '' };
    context.abandon(error);
    return { lost: error };
  }
}

async function enqueueOne(context: RunContext, execution: StepExecution, call: ChildCall): Promise<StepOutcome> {
  const queued = await enqueueChild(context, execution, call);
  return publish(context, execution, { result: toQueuedResult(queued, call), outcome: succeeded });
}

async function enqueueAll(
  context: RunContext,
  execution: StepExecution,
  calls: readonly ChildCall[],
): Promise<StepOutcome> {
  const runs: JsonObject[] = [];
  let queued = 0;
  for (const call of calls) {
    if (execution.signal.aborted) return { status: 'aborted', error: 'run stopped' };
    const child = await enqueueChild(context, execution, call);
    if (!child.wasThere) queued += 1;
    runs.push(toQueuedResult(child, call));
  }
  const result = { summary: { total: calls.length, queued }, runs };
  return publish(context, execution, { result, outcome: succeeded });
}

function toQueuedResult({ run, wasThere }: QueuedChild, { params }: ChildCall): JsonObject {
  const { dagName: name, dagRunId, queueName, status } = run;
  return {
    name,
    dagRunId,
    queue: queueName ?? name,
    status,
    ...(params === '' ? {} : { params }),
    ...(wasThere ? { alreadyExists: true } : {}),
  };
}

const succeeded = (): StepOutcome => ({ status: 'succeeded' });

/** Prints the result and publishes its fields as outputs of the step. */
async function publish(
  { values }: RunContext,
  { stored }: StepExecution,
  { result, outcome }: { readonly result: JsonObject; readonly outcome: () => StepOutcome },
): Promise<StepOutcome> {
  await writeResult(stored, result, values.masker);
  const declared = Object.entries(result).map(([name, value]) => ({ name, value }));
  return { ...outcome(), outputs: { fields: [], declared } };
}

/** What is wrong with a call fails its step; anything else is thrown. */
function toFailedOutcome(error: unknown): StepOutcome {
  if (isAppError(error)) return { status: 'failed', error: error.message };
  throw error;
}
