import { createHash } from 'node:crypto';
import type { Environment, RunInfo } from '../environment/run-variables';
import { nodeKey, type DagRunStep } from '../../model/run-model/dag-run';
import { stepSpanId, traceParent } from './trace-ids';
import type { RunValues } from './run-values';

/** The same for every attempt of one piece of work; different for each iteration and after a push-back. */
export function idempotencyKey(runKey: string, step: DagRunStep, iterations: number): string {
  const parts = [runKey, nodeKey(step), step.iteration, iterations];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Lets what the step starts add spans to the trace of the run. The file may set another value. */
export function traceVariables({ trace }: Pick<RunValues, 'trace'>, step: DagRunStep): Environment {
  if (trace === undefined) return {};
  return { TRACEPARENT: traceParent(trace.id, stepSpanId(trace.run, nodeKey(step))) };
}

/** The last push-back of the step, for its variables. */
export function readPushBack(step: DagRunStep): Pick<RunInfo, 'pushBack'> {
  const last = step.decisions?.pushBacks?.at(-1);
  if (last === undefined) return {};
  const previousStdoutFile = previousLogFile(step.stdoutFile, step.iteration);
  return { pushBack: { iteration: step.iteration, inputs: last.inputs, comment: last.comment, previousStdoutFile } };
}

/** The inputs of the last push-back, as variables. */
export function readFeedback(step: DagRunStep): Environment {
  return { ...step.decisions?.pushBacks?.at(-1)?.inputs };
}

/** Returns the file to which the log of the work before this push-back is archived. */
export function previousLogFile(file: string, iteration: number): string {
  return `${file}.${iteration}`;
}
