import { nodeKey, type DagRun, type DagRunStep, type RunEnd, type StepScope } from '../../model/run-model/dag-run';
import { nodeStatus } from '../../model/statuses/node-status';
import { runStatus } from '../../model/statuses/run-status';
import { runSpanId, stepSpanId, traceIdOf, type TracedRun } from '../../values/run-values/trace-ids';

/** A finished span, independent of the protocol that sends it. */
export interface TraceSpan {
  /** 16 lower-case hex digits. */
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Why the span failed; missing for one that did not. */
  readonly error?: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface RunTrace {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** The span of the run, then those of its steps. */
  readonly spans: readonly TraceSpan[];
}

export interface TraceSources {
  readonly run: DagRun;
  readonly root: TracedRun;
  /** The run whose step started this one. */
  readonly parent?: TracedRun | undefined;
  /** The steps of every scope. */
  readonly steps: readonly DagRunStep[];
  readonly end: Pick<RunEnd, 'status' | 'finishedAt' | 'error'>;
}

/** Describes one execution of a run: only steps that started in it have spans, those that an earlier one ended have not. */
export function createRunTrace({ run, root, parent, steps, end }: TraceSources): RunTrace {
  const startedAt = run.startedAt ?? run.createdAt;
  const endedAt = end.finishedAt ?? startedAt;
  const hasFailed = runStatus.isFailed(end.status);
  const runSpan: TraceSpan = {
    id: runSpanId(run),
    parentId: parent === undefined ? undefined : stepSpanId(parent, run.parentNode ?? ''),
    name: run.dagName,
    startedAt,
    endedAt,
    error: hasFailed ? (end.error ?? end.status) : undefined,
    attributes: {
      'weir.dag.name': run.dagName,
      'weir.run.id': run.dagRunId,
      'weir.run.attempt': run.attempt,
      'weir.run.status': end.status,
      'weir.run.trigger': run.triggerType,
    },
  };
  const spans = steps.flatMap((step) => createStepSpan(run, step, startedAt, endedAt));
  return { traceId: traceIdOf(root), spans: [runSpan, ...spans] };
}

function createStepSpan(run: DagRun, step: DagRunStep, since: Date, until: Date): readonly TraceSpan[] {
  const { startedAt, finishedAt, status, exitCode, error, retryCount, scope } = step;
  if (startedAt === null || startedAt < since) return [];
  const parent = parentStep(scope);
  const hasFailed = nodeStatus.isTerminal(status) && !nodeStatus.isPassed(status);
  const span: TraceSpan = {
    id: stepSpanId(run, nodeKey(step)),
    parentId: parent === undefined ? runSpanId(run) : stepSpanId(run, parent),
    name: step.name,
    startedAt,
    endedAt: finishedAt ?? until,
    error: hasFailed ? (error ?? status) : undefined,
    attributes: {
      'weir.step.name': step.name,
      'weir.step.status': status,
      'weir.step.retries': retryCount,
      ...(exitCode === null ? {} : { 'process.exit.code': exitCode }),
      ...(scope === '' ? {} : { 'weir.step.scope': scope }),
    },
  };
  return [span];
}

/** The key of the loop that an iteration belongs to; nothing for the steps of the DAG and of handlers. */
function parentStep(scope: StepScope): string | undefined {
  if (scope === '' || scope.startsWith('on/')) return undefined;
  return scope.slice(0, scope.lastIndexOf('/'));
}
