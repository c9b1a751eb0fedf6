import { createHash } from 'node:crypto';
import type { Environment, RunInfo } from '../environment/run-variables';
import { nodeKey, type DagRunStep } from '../run-model/dag-run';

/** The same for every attempt at one piece of work; another one for each turn and for work that was sent back. */
export function idempotencyKey(runKey: string, step: DagRunStep, iterations: number): string {
  const parts = [runKey, nodeKey(step), step.iteration, iterations];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** What a step is told whose work was sent back. */
export function readPushBack(step: DagRunStep): Pick<RunInfo, 'pushBack'> {
  const last = step.decisions?.pushBacks?.at(-1);
  if (last === undefined) return {};
  const previousStdoutFile = previousLogFile(step.stdoutFile, step.iteration);
  return { pushBack: { iteration: step.iteration, inputs: last.inputs, previousStdoutFile } };
}

/** What the person wrote who sent the work back, as variables. */
export function readFeedback(step: DagRunStep): Environment {
  return { ...step.decisions?.pushBacks?.at(-1)?.inputs };
}

/** Where the log of the work before this iteration is kept. */
export function previousLogFile(file: string, iteration: number): string {
  return `${file}.${iteration}`;
}
