import { AppError, isAppError } from '@weir/foundation';
import type { Dag } from '@weir/workflow-spec';
import type { Scope } from '@weir/workflow-spec/values';
import type { RunLog } from '../logs/run-log';
import type { Logger } from '../../model/ports/logger';
import type { RunStore } from '../../model/ports/run-store';
import { systemTimer, type Timer } from '../../model/ports/timer';
import type { DagRun, RunEnd } from '../../model/run-model/dag-run';
import { readOtelSettings } from './otel-settings';
import { createRunTrace } from './run-trace';
import { sendTrace, type SendTrace } from './send-trace';
import type { TracedRun } from '../../values/run-values/trace-ids';

export interface RunTracerOptions {
  /** Sends traces; by OTLP when missing. */
  readonly sendTrace?: SendTrace | undefined;
  readonly runs: Pick<RunStore, 'findById' | 'listAllSteps'>;
  readonly run: DagRun;
  readonly root: TracedRun;
  readonly dag: Pick<Dag, 'otel'>;
  /** The scope that gives values to the references of `otel`. */
  readonly scope: Scope;
  readonly log: Pick<RunLog, 'write'>;
  readonly logger: Logger;
  readonly timer?: Timer;
  /** The time by which the trace may delay the end of the work on a run. Default: half a minute. */
  readonly limitMs?: number;
}

/**
 * Sends the trace of a run whose end is stored, when its DAG asks for it. Never rejects: a trace that is not sent
 * changes nothing about its run, whose log says why.
 */
export async function traceRun(options: RunTracerOptions, end: RunEnd): Promise<void> {
  const { sendTrace: send = sendTrace, dag, scope, log, logger, run, timer = systemTimer, limitMs = 30_000 } = options;
  try {
    const settings = readOtelSettings(dag.otel, scope);
    if (settings === undefined) return;
    const trace = await readTrace(options, end);
    await within(send(trace, settings), timer, limitMs);
    log.write('trace sent', { traceId: trace.traceId, spans: trace.spans.length });
  } catch (error) {
    log.write('trace not sent', { reason: reasonOf(error) });
    logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, reason: reasonOf(error) }, 'a trace is not sent');
  }
}

async function readTrace({ runs, run, root }: RunTracerOptions, end: RunEnd) {
  const [parent, steps] = await Promise.all([
    run.parentId === null ? undefined : runs.findById(run.parentId),
    runs.listAllSteps(run.id),
  ]);
  return createRunTrace({ run, root, parent, steps, end });
}

function within(work: Promise<void>, timer: Timer, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = timer.start(limitMs, () => {
      reject(new AppError('upstream_timeout', `There was no answer within ${limitMs / 1_000} seconds.`));
    });
    void work.then(resolve, reject).finally(cancel);
  });
}

/** Any other text may hold an address, a path or a header. */
function reasonOf(error: unknown): string {
  if (isAppError(error)) return error.message;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `The collector answered with code ${code}.`;
  return typeof code === 'string' && code !== '' ? code : 'The collector did not answer.';
}
