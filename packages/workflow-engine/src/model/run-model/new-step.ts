import type { StepLogFiles } from './log-layout';
import type { DagRunStep, StepPatch, StepScope } from './dag-run';

/** The scope of the one step of a handler. */
export function handlerScope(kind: string): StepScope {
  return `on/${kind}`;
}

/** A step that has not started. */
export function newStep(step: Pick<DagRunStep, 'scope' | 'position' | 'name'> & StepLogFiles): DagRunStep {
  const { scope, position, name, stdoutFile, stderrFile } = step;
  return {
    scope,
    position,
    name,
    status: 'not_started',
    startedAt: null,
    finishedAt: null,
    exitCode: null,
    error: null,
    stdoutFile,
    stderrFile,
    retryCount: 0,
    doneCount: 0,
    pid: null,
    processStartedAt: null,
    iteration: 0,
    decisions: null,
    build: null,
    modelUse: null,
  };
}

/** A step is reset to this before it starts from the beginning. */
export const pendingStep = {
  status: 'not_started',
  startedAt: null,
  finishedAt: null,
  exitCode: null,
  error: null,
  pid: null,
  processStartedAt: null,
  retryCount: 0,
  doneCount: 0,
  outputs: null,
  build: null,
} as const satisfies Partial<StepPatch>;
