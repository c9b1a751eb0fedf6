import type { HandlerKind } from '@weir/workflow-spec';
import { executeHandler, type HandlerRequest } from './handlers/execute-handler';
import type { RunEnd } from '../model/run-model/dag-run';
import { computeDelayMs } from '../scope/loop/attempt-delay';
import { runStatus, type RunStatus } from '../model/statuses/run-status';
import { nodeStatus } from '../model/statuses/node-status';
import { commitOwned } from '../model/ports/run-store';
import { toOwnerEvent } from '../model/state-machine/owner-transitions';
import { traceRun } from '../host/tracing/run-tracer';
import type { RunContext } from './context/run-context';
import { removeOwnTrees } from './remove-own-trees';

export interface Ending {
  readonly status: RunStatus;
  readonly error?: string | undefined;
  /** The outputs of the steps that the handlers may use. */
  readonly inherited?: HandlerRequest['inherited'];
}

/** Executes the handlers of an end, then stores and reports it. */
export async function endRun(context: RunContext, ending: Ending): Promise<void> {
  const { retryAt } = toRunEnd(context, ending);
  let { status } = ending;
  for (const kind of selectHandlers(status, { isRetried: retryAt !== undefined })) {
    const handler = await executeHandler(context, { kind, status, inherited: ending.inherited });
    if (handler === undefined || nodeStatus.isPassed(handler.status) || kind === 'abort') continue;
    status = 'failed';
  }
  const end = await toCleanEnd(context, toRunEnd(context, { ...ending, status }));
  await recordEnd(context, end);
  await reportEnd(context, end);
}

/** A run that is retried still has its working trees. One that succeeded fails when they cannot be removed. */
async function toCleanEnd(context: RunContext, end: RunEnd): Promise<RunEnd> {
  if (end.retryAt !== undefined) return end;
  const problem = await removeOwnTrees(context, end.status);
  if (problem === undefined || !runStatus.isSuccessful(end.status)) return end;
  return { status: 'failed', finishedAt: context.ports.clock.now(), error: problem };
}

/** The end of a run; a failed one may be retried automatically. */
export function toRunEnd({ ports, run, dag }: RunContext, { status, error }: Ending): RunEnd {
  const finishedAt = ports.clock.now();
  const end = { status, finishedAt, error: error ?? null };
  const { retryPolicy } = dag;
  const isRetried =
    retryPolicy !== undefined &&
    runStatus.isFailed(status) &&
    run.depth === 0 &&
    run.autoRetryCount < retryPolicy.limit;
  if (!isRetried) return end;
  const afterMs = computeDelayMs({ maxIntervalSec: 3_600, ...retryPolicy }, run.autoRetryCount);
  return { ...end, retryAt: new Date(finishedAt.getTime() + afterMs) };
}

export function recordEnd(context: RunContext, end: RunEnd): Promise<void> {
  return commitOwned(context, toOwnerEvent(context.lease, [], end));
}

export async function reportEnd(context: RunContext, end: RunEnd): Promise<void> {
  const { ports, run, log, mailer, values } = context;
  const { status, error, retryAt } = end;
  log.write('run ended', { status, reason: error, retryAt: retryAt?.toISOString() });
  ports.logger.info({ dagName: run.dagName, dagRunId: run.dagRunId, status }, 'run ended');
  await mailer.runEnded(status);
  await traceRun({ ...ports, ...context, scope: values.scope }, end);
}

function selectHandlers(status: RunStatus, { isRetried }: { readonly isRetried: boolean }): readonly HandlerKind[] {
  if (runStatus.isSuccessful(status)) return ['success', 'exit'];
  if (runStatus.isAborted(status)) return ['abort', 'exit'];
  // A run that is retried has not failed yet.
  return isRetried ? ['exit'] : ['failure', 'exit'];
}
